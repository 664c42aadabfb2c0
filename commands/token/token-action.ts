import { EXIT, table, UsageError } from '../../cli/command-line.ts';
import { withInterrupt } from '../../cli/interrupt.ts';
import { PlainError } from '../../cli/plain-error.ts';
import { print, printError, printWhole } from '../../cli/print.ts';
import type { AccessTokenAdmin } from '../shared/access-token-admin.ts';
import { explain } from '../shared/aws.ts';
import { daysLeft, type IssuedToken, SOON_DAYS, shortId, type TokenItem } from '../shared/issued-token.ts';

/** What `issue` accepts as a name. It is in the log. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The remarks at the ends of lines. */
const REMARKS = { red: /(?<= {2})(expired|damaged)$/gm, yellow: /(?<= {2})expires in \d+ days$/gm };

/** What `npm run token` does with the tokens of a table. It prints the result. */
export type Action = (admin: AccessTokenAdmin) => Promise<void>;

/** Issues a token. @throws UsageError if the name is invalid; it is not repeated, because it may be a secret in the wrong place */
export function issue(name = '', days?: number): Action {
  if (!NAME.test(name))
    throw new UsageError(
      'NAME must have 1 to 64 characters: letters from A to Z or a to z, digits, dots, dashes and underscores. ' +
        'The first must be a letter or a digit.',
    );
  // A token that is stored but not shown would be of no use, and would count as one of two.
  return (admin) =>
    withInterrupt('Interrupted: no token was issued.', async ({ signal }) => {
      const { token, issued } = await admin.issue(name, days, signal);
      await printWhole(`${token}\n`).catch(async (error) => {
        await admin.withdraw(issued);
        throw new PlainError(`No token was issued: ${explain(error)}`);
      });
      printError(`For ${name}, until ${day(issued.expires)}, id ${shortId(issued)}. It is not shown again.`);
    });
}

/** Shows the tokens, and what is none. */
export async function list(admin: AccessTokenAdmin): Promise<void> {
  const { tokens, damaged } = await admin.list();
  const row = (item: TokenItem, remark: string) => {
    return [nameOf(item), shortId(item), day(item.created), day(item.expires), remark];
  };
  const rows = tokens.map((issued) => row(issued, remark(issued)));
  rows.push(...damaged.map((item) => row(item, 'damaged')));
  print(table([['NAME', 'ID', 'CREATED', 'EXPIRES'], ...rows]), REMARKS);
  if (damaged.length === 0) return;
  printError(
    'The service refuses a damaged token: its name is no text, or its expiry no number. To remove it:',
  );
  for (const item of damaged) printError(`  ${admin.revokeCommand(item)}`);
  process.exitCode = EXIT.failed;
}

/** Revokes the token with an id, or all of a name. @throws UsageError unless one of them is given */
export function revoke(id: string | undefined, all: string | undefined): Action {
  if ((id === undefined) === (all === undefined)) throw new UsageError('Give either an ID or --all NAME.');
  return async (admin) => {
    for (const item of await (all === undefined ? admin.revoke(id ?? '') : admin.revokeAll(all)))
      print(`Revoked ${shortId(item)} of ${nameOf(item)}.`);
    print('A revoked token stops working within a minute, when the last cache entry has expired.');
  };
}

function nameOf({ name }: TokenItem): string {
  return typeof name === 'string' ? name : '?';
}

function remark(issued: IssuedToken): string {
  const days = daysLeft(issued);
  if (days < 0) return 'expired';
  return days < SOON_DAYS ? `expires in ${days} days` : '';
}

/** The day of a time in seconds since the epoch; a question mark for what is no time. */
function day(seconds: unknown): string {
  const date = new Date(1000 * (typeof seconds === 'number' ? seconds : Number.NaN));
  return Number.isNaN(date.getTime()) ? '?' : date.toISOString().slice(0, 10);
}
