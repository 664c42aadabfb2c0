import { runCommands, wholeNumber } from '../cli/command-line.ts';
import { OUTPUTS } from '../infra/names.ts';
import { DEFAULT_DATA_FOLDER } from '../local/defaults.ts';
import { LOCAL_TABLES } from '../local/local-tables.ts';
import { withLocalStore } from '../local/open-store.ts';
import { failed } from './shared/aws.ts';
import { deployedStack } from './shared/deployed-stack.ts';
import { TOKEN_DAYS } from './shared/issued-token.ts';
import { stageNamed } from './shared/stage-option.ts';
import { withTokenAdmin } from './shared/with-token-admin.ts';
import { type Action, issue, list, revoke } from './token/token-action.ts';

const WHERE = {
  stage: { value: 'NAME', about: 'use the deployed stage, with the credentials of the AWS CLI' },
  data: { value: 'DIR', about: `the local service's data folder (default: ${DEFAULT_DATA_FOLDER})` },
} as const;
const apart = [['stage', 'data']] as const;

await runCommands({
  about: 'Issues, lists and revokes access tokens of the local service or, with --stage, of a deployed one.',
  notes: 'Exit codes: 0 for success, 1 for a failure, 2 if the command is invalid.',
  commands: {
    issue: {
      about: 'Issues an access token, and prints it, only once. Nothing else goes to standard output.',
      usage: 'npm run token -- issue NAME [--days N]',
      operands: 1,
      apart,
      options: {
        days: {
          value: 'N',
          about: `lifetime of the token in days, at most ${TOKEN_DAYS.most}`,
          default: String(TOKEN_DAYS.default),
        },
        ...WHERE,
      },
      async main({ days, ...where }, [name]) {
        await withTokens(where, issue(name, wholeNumber('days', days, 1, TOKEN_DAYS.most)));
      },
    },
    list: {
      about: 'Shows the access tokens, without what makes them valid. Fails if an item is no token.',
      usage: 'npm run token -- list',
      apart,
      options: WHERE,
      main: (where) => withTokens(where, list),
    },
    revoke: {
      about: 'Revokes one access token, or all of a name. They stop working within a minute.',
      usage: 'npm run token -- revoke ID\nnpm run token -- revoke --all NAME',
      operands: 1,
      apart,
      options: { all: { value: 'NAME', about: 'revoke every token of this name' }, ...WHERE },
      async main({ all, ...where }, [id]) {
        await withTokens(where, revoke(id, all));
      },
    },
  },
});

async function withTokens(
  { stage, data }: { stage: string | undefined; data: string | undefined },
  action: Action,
): Promise<void> {
  if (stage === undefined)
    return withLocalStore(data, () =>
      withTokenAdmin(LOCAL_TABLES.accessTokens, {}, action, { where: data && `--data ${data}` }),
    );
  const stack = await deployedStack(stageNamed(stage));
  const name = stack.output(OUTPUTS.accessTokensTable);
  const where = `--stage ${stage}`;
  await withTokenAdmin(name, stack.settings, action, { where }).catch(failed(`Stage ${stage}`));
}
