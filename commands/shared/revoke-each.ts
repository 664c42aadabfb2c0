import { PlainError } from '../../cli/plain-error.ts';
import { explain } from './aws.ts';
import { shortId, type TokenItem } from './issued-token.ts';

/**
 * Revokes tokens one after the other, also if one of them cannot be revoked.
 * @param revoke revokes one; a call that fails may have revoked it
 * @throws PlainError that says which are revoked, if a call fails
 */
export async function revokeEach(
  items: readonly TokenItem[],
  revoke: (item: TokenItem) => Promise<void>,
): Promise<readonly TokenItem[]> {
  const left: TokenItem[] = [];
  let reason: string | undefined;
  for (const item of items) {
    await revoke(item).catch((error) => {
      reason ??= explain(error);
      left.push(item);
    });
  }
  if (reason === undefined) return items;
  const ids = (some: readonly TokenItem[]) => some.map(shortId).join(', ') || 'none';
  const revoked = items.filter((item) => !left.includes(item));
  throw new PlainError(
    `revoked: ${ids(revoked)}; not revoked, or not known to be: ${ids(left)} (${reason}); run the command again.`,
  );
}
