import type { TokenLife } from './model.ts';

/** An access token of a history. */
export interface Token extends TokenLife {
  readonly text: string;
}

interface Sent {
  readonly client: string;
  readonly id: string;
  /** The plant's texts as one text. */
  readonly plant: string;
  /** The index of the access token. */
  readonly token: number;
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
  readonly tokens: readonly Token[];
  /** What the store holds in the end. */
  readonly found: readonly { readonly id: string; readonly plant: string }[];
  readonly endedAt: number;
  readonly story: readonly (readonly [at: number, text: string])[];
}
