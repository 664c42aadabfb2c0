import type { Attempt, Call, History } from './history.ts';
import { claimOf, mayBeRefused, mayPass, type Operation } from './model.ts';
import { impossibleIds } from './search.ts';

/** The function's budget for the store, in milliseconds. Nothing else takes time in a simulation. */
const BUDGET_MS = 3_500;

/** @returns what the contract does not allow in a history, in words; empty if it is possible */
export function violations(history: History): string[] {
  const { attempts, calls } = history;
  return [
    ...impossibleIds([...attempts.map((each) => ofAttempt(each, history)), ...seen(history)]).map(
      (id) => `no order of the requests explains the responses about id ${id}`,
    ),
    ...impossibleIds([...calls.map(ofCall), ...seen(history)]).map(
      (id) => `no order of the clients’ calls explains their results about id ${id}`,
    ),
    ...attempts.flatMap((attempt) => wrongToken(attempt, history)),
    ...attempts
      .filter(({ tookMs = 0 }) => tookMs > BUDGET_MS)
      .map(({ client, tookMs }) => `the function worked ${tookMs} ms on a request of ${client}`),
    ...attempts
      .filter(({ client, number }) => client === 'the last client' && number !== 200 && number !== 40901)
      .map(({ number }) => `the last client got ${number}, although nothing went wrong any more`),
  ];
}

function ofAttempt(attempt: Attempt, { tokens }: History): Operation {
  const { id, plant, calledAt, endedAt = Infinity, number } = attempt;
  const token = tokens[attempt.token];
  // Whatever became of it, a request without a valid token has no effect.
  const isAllowed = token !== undefined && mayPass(token, calledAt, endedAt);
  const claim = isAllowed && number !== 'refused' ? claimOf(number) : 'nothing';
  return { id, plant, claim, calledAt, endedAt };
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

function wrongToken(attempt: Attempt, { tokens }: History): string[] {
  const { client, token, number, calledAt, endedAt = Infinity } = attempt;
  const life = tokens[token];
  const what = `token ${token} of ${client}`;
  if (number === 40102 && life && !mayBeRefused(life, calledAt, endedAt))
    return [`${what} is refused, although it is valid`];
  const hasPassed = number === 200 || number === 40901;
  if (hasPassed && !(life && mayPass(life, calledAt, endedAt)))
    return [`${what} is accepted, although it is not valid`];
  return [];
}
