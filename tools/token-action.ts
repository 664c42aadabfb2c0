import { print, printError } from '../infra/terminal.ts';
import {
  type AccessTokenAdmin,
  daysLeft,
  type IssuedToken,
  SOON_DAYS,
  shortId,
  TOKEN_DAYS,
} from './access-token-admin.ts';
import { table, UsageError, wholeNumber } from './command-line.ts';

/** The remarks at the ends of lines. */
const REMARKS = { red: /(?<= {2})expired$/gm, yellow: /(?<= {2})expires in \d+ days$/gm };

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
    return async (admin) => report([await admin.revoke(operand)]);
  if (verb === 'revoke' && operand === undefined && all !== undefined && days === undefined)
    return async (admin) => report(await admin.revokeAll(all));
  throw new UsageError('Use one of: issue NAME, list, revoke ID, revoke --all NAME; --help shows more.');
}

function issue(name: string, days: number | undefined): Action {
  return async (admin) => {
    const { token, issued } = await admin.issue(name, days);
    print(token);
    printError(`For ${name}, until ${day(issued.expires)}, id ${shortId(issued)}. It is not shown again.`);
  };
}

async function list(admin: AccessTokenAdmin): Promise<void> {
  const rows = (await admin.list()).map((issued) => [
    issued.name,
    shortId(issued),
    day(issued.created),
    day(issued.expires),
    remark(issued),
  ]);
  print(table([['NAME', 'ID', 'CREATED', 'EXPIRES'], ...rows]), REMARKS);
}

function report(revoked: IssuedToken[]): void {
  for (const issued of revoked) print(`Revoked ${shortId(issued)} of ${issued.name}.`);
  print('A revoked token stops working within a minute, when the last cache entry has expired.');
}

function remark(issued: IssuedToken): string {
  const days = daysLeft(issued);
  if (days < 0) return 'expired';
  return days < SOON_DAYS ? `expires in ${days} days` : '';
}

function day(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}
