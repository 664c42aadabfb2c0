import { styleText } from 'node:util';
import { OUTPUTS } from '../infra/names.ts';
import { ENVIRONMENT } from '../lambda/environment.ts';
import { DataFolder } from '../local/data-folder.ts';
import { DEFAULT_DATA_FOLDER } from '../local/defaults.ts';
import { openStore } from '../local/open-store.ts';
import { PlainError } from '../local/plain-error.ts';
import { LOCAL_TABLES } from '../local/tables.ts';
import {
  type AccessTokenAdmin,
  daysLeft,
  type IssuedToken,
  SOON_DAYS,
  shortId,
  TOKEN_DAYS,
  withTokenAdmin,
} from './access-token-admin.ts';
import { failed } from './aws.ts';
import { runCommand, table, UsageError, wholeNumber } from './command-line.ts';
import { deployedStack } from './deployed-stack.ts';
import { stageNamed } from './stage-option.ts';

await runCommand(
  {
    usage: `npm run token -- issue NAME [--days N]
npm run token -- list
npm run token -- revoke ID
npm run token -- revoke --all NAME`,
    about:
      'Issues, lists and revokes access tokens of the local service or, with --stage, of a deployed one.',
    operands: true,
    options: {
      days: {
        value: 'N',
        about: `lifetime of the token in days, at most ${TOKEN_DAYS.most} (default: ${TOKEN_DAYS.default})`,
      },
      all: { value: 'NAME', about: 'revoke every token of this name' },
      stage: { value: 'NAME', about: 'use the deployed stage, with the credentials of the AWS CLI' },
      data: { value: 'DIR', about: `the local service's data folder (default: ${DEFAULT_DATA_FOLDER})` },
    },
    notes: `A new token is printed once, to standard output; everything else goes to standard error. A revoked token
stops working within a minute. Exit codes: 0 for success, 1 for a failure, 2 if the command is invalid.`,
  },
  async ({ days, all, stage, data }, operands) => {
    const action = chooseAction(operands, days, all);
    if (stage === undefined) return withLocalTable(action, data);
    if (data !== undefined) throw new UsageError('--stage and --data cannot be used together.');
    const stack = await deployedStack(stageNamed(stage));
    const name = stack.output(OUTPUTS.accessTokensTable);
    await withTokenAdmin(name, stack.settings, action).catch(failed(`Stage ${stage}`));
  },
);

/** @throws PlainError if there is no data folder; a mistyped name must not create one */
async function withLocalTable(action: Action, data: string = DEFAULT_DATA_FOLDER): Promise<void> {
  const isElsewhere = Boolean(process.env[ENVIRONMENT.endpoint]);
  if (!isElsewhere && !DataFolder.exists(data))
    throw new PlainError(`There is no data folder ${data}; npm start creates one, --data selects another.`);
  const store = await openStore({ folder: isElsewhere ? undefined : new DataFolder(data), join: true });
  try {
    await withTokenAdmin(LOCAL_TABLES.accessTokens, {}, action);
  } finally {
    await store.close();
  }
}

type Action = (admin: AccessTokenAdmin) => Promise<void>;

/** @throws UsageError if the arguments are not a valid command */
function chooseAction([verb, operand, ...rest]: string[], days?: string, all?: string): Action {
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
    console.info(token);
    console.error(`For ${name}, until ${day(issued.expires)}, id ${shortId(issued)}. It is not shown again.`);
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
  console.info(table([['NAME', 'ID', 'CREATED', 'EXPIRES'], ...rows]));
}

function report(revoked: IssuedToken[]): void {
  for (const issued of revoked) console.info(`Revoked ${shortId(issued)} of ${issued.name}.`);
  console.info('It stops working within a minute, when the last cache entry has expired.');
}

function remark(issued: IssuedToken): string {
  const days = daysLeft(issued);
  if (days < 0) return styleText('red', 'expired');
  return days < SOON_DAYS ? styleText('yellow', `expires in ${days} days`) : '';
}

function day(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}
