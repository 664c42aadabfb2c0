import { EXIT, table, UsageError, wholeNumber } from '../../cli/command-line.ts';
import { withInterrupt } from '../../cli/interrupt.ts';
import { PlainError } from '../../cli/plain-error.ts';
import { print, printError, printWhole } from '../../cli/print.ts';
import type { AccessTokenAdmin } from '../shared/access-token-admin.ts';
import { explain } from '../shared/aws.ts';
import {
  daysLeft,
  type IssuedToken,
  SOON_DAYS,
  shortId,
  TOKEN_DAYS,
  type TokenItem,
} from '../shared/issued-token.ts';

/** What `issue` accepts as a name. It is in the log. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The remarks at the ends of lines. */
const REMARKS = { red: /(?<= {2})(expired|damaged)$/gm, yellow: /(?<= {2})expires in \d+ days$/gm };

/** What `npm run token` does with the tokens of a table. It prints the result. */
export type Action = (admin: AccessTokenAdmin) => Promise<void>;

/**
 * Chooses the action by the arguments and the options of the command.
 * @throws UsageError if they are not a valid command
 */
export function chooseAction([verb, operand, ...rest]: string[], days?: string, all?: string): Action {
  const others = [...rest, days, all].filter((each) => each !== undefined);
  if (verb === 'issue' && operand && rest.length === 0 && all === undefined)
    return issue(operand, days === undefined ? undefined : wholeNumber('days', days, 1, TOKEN_DAYS.most));
  if (verb === 'list' && operand === undefined && others.length === 0) return list;
  if (verb === 'revoke' && operand && others.length === 0)
    return async (admin) => report(await admin.revoke(operand));
  if (verb === 'revoke' && operand === undefined && all !== undefined && days === undefined)
    return async (admin) => report(await admin.revokeAll(all));
  throw new UsageError('Use one of: issue NAME, list, revoke ID, revoke --all NAME; --help shows more.');
}

/** @throws UsageError if the name is invalid; it is not repeated, because it may be a secret in the wrong place */
function issue(name: string, days: number | undefined): Action {
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

async function list(admin: AccessTokenAdmin): Promise<void> {
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

function report(revoked: readonly TokenItem[]): void {
  for (const item of revoked) print(`Revoked ${shortId(item)} of ${nameOf(item)}.`);
  print('A revoked token stops working within a minute, when the last cache entry has expired.');
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
