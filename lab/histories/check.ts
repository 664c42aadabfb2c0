import { claimOf, impossibleIds, type Operation } from './model.ts';

interface Sent {
  readonly client: string;
  readonly id: string;
  /** The plant's texts as one text. */
  readonly plant: string;
  /** In milliseconds, like all times. */
  readonly calledAt: number;
}

/** One HTTP request. */
export interface Attempt extends Sent {
  /** When its client got a response; absent if it got none. */
  endedAt?: number;
  /** 200, an error's number, or `refused` if no connection was made; absent if there was no response. */
  number?: number | 'refused';
  /** How long the function took. */
  tookMs?: number;
}

/** One call of the client package: one request or more. */
export interface Call extends Sent {
  readonly endedAt: number;
  /** 200 or an error's number. */
  readonly number: number;
  readonly mayBeStored: boolean;
}

/** All that has happened. */
export interface History {
  readonly attempts: readonly Attempt[];
  readonly calls: readonly Call[];
  /** What the store holds in the end. */
  readonly found: readonly { readonly id: string; readonly plant: string }[];
  readonly endedAt: number;
}

/** The function's budget for the store, in milliseconds. Nothing else takes time in a simulation. */
const BUDGET_MS = 3_500;

/** @returns what the contract does not allow in a history, in words; empty if it is possible */
export function violations(history: History): string[] {
  const { attempts, calls } = history;
  return [
    ...impossibleIds([...attempts.map(ofAttempt), ...seen(history)]).map(
      (id) => `no order of the requests explains the responses about id ${id}`,
    ),
    ...impossibleIds([...calls.map(ofCall), ...seen(history)]).map(
      (id) => `no order of the clients’ calls explains their results about id ${id}`,
    ),
    ...attempts
      .filter(({ tookMs = 0 }) => tookMs > BUDGET_MS)
      .map(({ client, tookMs }) => `the function worked ${tookMs} ms on a request of ${client}`),
    ...attempts
      .filter(({ client, number }) => client === 'the last client' && number !== 200 && number !== 40901)
      .map(({ number }) => `the last client got ${number}, although nothing went wrong any more`),
  ];
}

function ofAttempt({ id, plant, calledAt, endedAt = Infinity, number }: Attempt): Operation {
  return { id, plant, claim: number === 'refused' ? 'nothing' : claimOf(number), calledAt, endedAt };
}

function ofCall({ id, plant, number, mayBeStored, calledAt, endedAt }: Call): Operation {
  const definite = number === 200 || number === 40901;
  const claim = definite ? claimOf(number) : mayBeStored ? 'open' : 'nothing';
  return { id, plant, claim, calledAt, endedAt };
}

/** What a reader of the table finds at the end, under every id that was sent. */
function seen({ attempts, found, endedAt }: History): Operation[] {
  const ids = new Set([...attempts.map(({ id }) => id), ...found.map(({ id }) => id)]);
  return [...ids].map((id) => {
    const plant = found.find((each) => each.id === id)?.plant;
    return { id, plant, claim: 'seen', calledAt: endedAt, endedAt };
  });
}
