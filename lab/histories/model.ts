/**
 * What histories of the store are possible. The whole model: an id is free, or holds one plant for ever. It is written
 * from the contract (contract/openapi.yaml, docs/decisions) by hand, and uses nothing of the service.
 */

/** What an id holds: a plant's texts as one text, or nothing. */
export type State = string | undefined;

/**
 * What the end of an operation says about its id, at one moment between call and end:
 * - `holds`: the id holds this plant, and this operation may have put it there (200)
 * - `taken`: the id holds another plant (40901)
 * - `open`: this operation may take effect at any moment after its call, even after its end, or never (50401, no response)
 * - `nothing`: this operation has no effect (any other number)
 * - `seen`: somebody read the table, and found this plant or, if it is undefined, nothing
 */
export type Claim = 'holds' | 'taken' | 'open' | 'nothing' | 'seen';

/** One operation on one id. Times are in milliseconds. */
export interface Operation {
  readonly id: string;
  readonly plant: State;
  readonly claim: Claim;
  readonly calledAt: number;
  readonly endedAt: number;
}

/** The state after an operation; false if the operation could not have ended so in this state. */
export function step(state: State, { claim, plant }: Pick<Operation, 'claim' | 'plant'>): State | false {
  if (claim === 'nothing') return state;
  if (claim === 'seen') return state === plant && state;
  if (claim === 'taken') return state !== undefined && state !== plant && state;
  if (claim === 'open') return state ?? plant;
  return (state ?? plant) === plant && plant;
}

/** The claim of a response. @param number 200, an error's number, or undefined if no response came */
export function claimOf(number: number | undefined): Claim {
  if (number === 200) return 'holds';
  if (number === 40901) return 'taken';
  return number === undefined || number === 50401 ? 'open' : 'nothing';
}

/** The life of an access token, in milliseconds. */
export interface TokenLife {
  readonly issuedAt: number;
  readonly revokedAt: number;
  readonly expiresAt: number;
}

/** For this long after its revocation, in milliseconds, a token may be remembered by a copy of the function. */
const REMEMBERED_MS = 60_000;

/** Whether a token may be accepted at some moment of a period. */
export function mayPass({ issuedAt, revokedAt, expiresAt }: TokenLife, from: number, to: number): boolean {
  return to >= issuedAt && from < Math.min(expiresAt, revokedAt + REMEMBERED_MS);
}

/** Whether a token may be refused at some moment of a period. */
export function mayBeRefused(
  { issuedAt, revokedAt, expiresAt }: TokenLife,
  from: number,
  to: number,
): boolean {
  return from < issuedAt || to >= Math.min(expiresAt, revokedAt);
}
