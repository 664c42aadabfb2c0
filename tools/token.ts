import { OUTPUTS } from '../infra/names.ts';
import { ENVIRONMENT } from '../lambda/environment.ts';
import { DataFolder } from '../local/data-folder.ts';
import { DEFAULT_DATA_FOLDER } from '../local/defaults.ts';
import { openStore } from '../local/open-store.ts';
import { LOCAL_TABLES } from '../local/tables.ts';
import { runCommand, UsageError } from '../terminal/command-line.ts';
import { PlainError } from '../terminal/plain-error.ts';
import { failed } from './stage/aws.ts';
import { deployedStack } from './stage/deployed-stack.ts';
import { stageNamed } from './stage/stage-option.ts';
import { TOKEN_DAYS, withTokenAdmin } from './token/access-token-admin.ts';
import { type Action, chooseAction } from './token/token-action.ts';

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
    notes: `A new token is printed only once; nothing else of "issue" goes to standard output. A revoked token
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
