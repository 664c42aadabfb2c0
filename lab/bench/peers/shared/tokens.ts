import { createHash } from 'node:crypto';
import { Refusal } from './operation.ts';
import type { Store } from './store.ts';

const REMEMBER_MS = 60_000;
const known = new Map<string, { expires: number; freshUntil: number }>();

/**
 * The bearer check of every peer: SHA-256, one GetItem, cached for a minute.
 * @throws Refusal 40101 without a token, 40102 if the token is not in the table or expired
 */
export async function requireToken(authorization: string | undefined, store: Store): Promise<void> {
  const token = /^bearer +(.+)$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) throw new Refusal(40101, 'Send an access token.');
  const digest = createHash('sha256').update(token).digest('hex');
  let entry = known.get(digest);
  if (entry === undefined || entry.freshUntil <= Date.now()) {
    const item = await store.readToken(digest);
    if (item === undefined) throw new Refusal(40102, 'The access token is not valid.');
    entry = { expires: item.expires, freshUntil: Date.now() + REMEMBER_MS };
    known.set(digest, entry);
  }
  if (entry.expires * 1000 <= Date.now()) throw new Refusal(40102, 'The access token is not valid.');
}
