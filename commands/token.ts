import { runCommand, UsageError } from '../cli/command-line.ts';
import { OUTPUTS } from '../infra/names.ts';
import { DEFAULT_DATA_FOLDER } from '../local/defaults.ts';
import { LOCAL_TABLES } from '../local/local-tables.ts';
import { withLocalStore } from '../local/open-store.ts';
import { failed } from './shared/aws.ts';
import { deployedStack } from './shared/deployed-stack.ts';
import { TOKEN_DAYS } from './shared/issued-token.ts';
import { stageNamed } from './shared/stage-option.ts';
import { withTokenAdmin } from './shared/with-token-admin.ts';
import { chooseAction } from './token/token-action.ts';

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
stops working within a minute. Exit codes: 0 for success, 1 for a failure, or if "list" finds an item that is no
token, 2 if the command is invalid.`,
  },
  async ({ days, all, stage, data }, operands) => {
    const action = chooseAction(operands, days, all);
    if (stage === undefined)
      return withLocalStore(data, () =>
        withTokenAdmin(LOCAL_TABLES.accessTokens, {}, action, { where: data && `--data ${data}` }),
      );
    if (data !== undefined) throw new UsageError('--stage and --data cannot be used together.');
    const stack = await deployedStack(stageNamed(stage));
    const name = stack.output(OUTPUTS.accessTokensTable);
    const where = `--stage ${stage}`;
    await withTokenAdmin(name, stack.settings, action, { where }).catch(failed(`Stage ${stage}`));
  },
);
