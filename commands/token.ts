import { columns, runCommands, UsageError, wholeNumber } from '../cli/command-line.ts';
import { PlainError } from '../cli/plain-error.ts';
import { print, printError, printWhole } from '../cli/print.ts';
import { tokenDigest } from '../lambda/tokens/access-token-table.ts';
import { isTokenFormat } from '../lambda/tokens/token-format.ts';
import { DEFAULT_DATA_FOLDER } from '../local/defaults.ts';
import { LOCAL_TABLES } from '../local/local-tables.ts';
import { withLocalStore } from '../local/open-store.ts';
import { readToken, TOKEN_NOTES } from '../operate/shared/access-token-input.ts';
import {
  type AccessTokens,
  daysLeft,
  isToken,
  SOON_DAYS,
  shortId,
  TOKEN_DAYS,
  type TokenItem,
  withAccessTokens,
} from '../operate/shared/access-tokens.ts';
import { failed } from '../operate/shared/aws.ts';

/** What `issue` accepts as a name. It is in the log. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const WHERE = {
  stage: { value: 'NAME', about: 'use the deployed stage, with the credentials of the AWS CLI' },
  data: { value: 'DIR', about: `the local service's data folder (default: ${DEFAULT_DATA_FOLDER})` },
} as const;
const apart = [['stage', 'data']] as const;

await runCommands({
  script: 'token',
  about:
    'Issues, lists and revokes access tokens of the local service or, with --stage, of a deployed one; or names one.',
  notes: 'Exit codes: 0 for success, 1 for a failure, 2 if the command is invalid.',
  commands: {
    issue: {
      about: 'Issues an access token, and prints it, only once. Nothing else goes to standard output.',
      usage: 'NAME [--days N]',
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
      async main({ days: written, ...where }, [name = '']) {
        const days = wholeNumber('days', written, 1, TOKEN_DAYS.most);
        // It is not repeated, because it may be a secret in the wrong place.
        if (!NAME.test(name))
          throw new UsageError(
            'NAME must have 1 to 64 characters: letters from A to Z or a to z, digits, dots, dashes and underscores. ' +
              'The first must be a letter or a digit.',
          );
        await withTokens(where, async (tokens) => {
          const { token, issued } = await tokens.issue(name, days);
          await printWhole(`${token}\n`).catch((error) => {
            throw tokens.mayBeValid(issued, error);
          });
          printError(
            `For ${name}, until ${day(issued.expires)}, id ${shortId(issued)}. It is not shown again.`,
          );
        });
      },
    },
    list: {
      about: 'Shows the access tokens, without what makes them valid. Fails if an item is no token.',
      usage: '',
      apart,
      options: WHERE,
      main: (where) =>
        withTokens(where, async (tokens) => {
          const items = await tokens.list();
          const rows = items.map((each) => [
            nameOf(each),
            shortId(each),
            day(each.created),
            day(each.expires),
            remark(each),
          ]);
          print(columns([['NAME', 'ID', 'CREATED', 'EXPIRES'], ...rows]).join('\n'));
          const areTokens = items.every(isToken);
          if (!areTokens)
            printError(
              'The service refuses a damaged token, whose name is no text or whose expiry no number.',
            );
          return areTokens;
        }),
    },
    id: {
      about: 'Prints the id that an access token has in the list, by which it is revoked. Asks no service.',
      usage: '',
      options: {},
      notes: TOKEN_NOTES,
      async main() {
        const token = await readToken();
        if (!isTokenFormat(token))
          throw new UsageError(
            'Only a token that the service has issued has an id; it has not issued this one.',
          );
        print(shortId({ digest: tokenDigest(token) }));
      },
    },
    revoke: {
      about: 'Revokes one access token, or all of a name. They stop working within a minute.',
      usage: 'ID\n--all NAME',
      operands: 1,
      apart,
      options: { all: { value: 'NAME', about: 'revoke every token of this name' }, ...WHERE },
      async main({ all, ...where }, [id]) {
        if ((id === undefined) === (all === undefined))
          throw new UsageError('Give either an ID or --all NAME.');
        const isMeant = (item: TokenItem) => (all === undefined ? shortId(item) === id : item.name === all);
        await withTokens(where, async (tokens) => {
          const found = (await tokens.list()).filter(isMeant);
          const named = all === undefined ? `id "${id}"` : `name "${all}"`;
          if (found.length === 0) throw new PlainError(`No token has the ${named}; "list" shows them.`);
          for (const item of found) {
            await tokens.revoke(item);
            print(`Revoked ${shortId(item)} of ${nameOf(item)}.`);
          }
          print('A revoked token stops working within a minute, when the last cache entry has expired.');
        });
      },
    },
  },
});

async function withTokens<Result>(
  { stage, data }: { stage: string | undefined; data: string | undefined },
  action: (tokens: AccessTokens) => Promise<Result>,
): Promise<Result> {
  if (stage === undefined)
    return withLocalStore(data, (settings) =>
      withAccessTokens(
        LOCAL_TABLES.accessTokens,
        settings,
        action,
        data === undefined ? '' : `--data '${data}'`,
      ),
    );
  const { stackOfStage } = await import('../operate/shared/stack-of-stage.ts');
  const stack = await stackOfStage(stage);
  const name = stack.accessTokensTable();
  return withAccessTokens(name, stack.settings, action, `--stage ${stage}`).catch(failed(`Stage ${stage}`));
}

function nameOf({ name }: TokenItem): string {
  return typeof name === 'string' ? name : '?';
}

function remark(item: TokenItem): string {
  if (!isToken(item)) return 'damaged';
  const days = daysLeft(item);
  if (days < 0) return 'expired';
  return days < SOON_DAYS ? `expires in ${days} days` : '';
}

/** The day of a time in seconds since the epoch; a question mark for what is no time. */
function day(seconds: unknown): string {
  const date = new Date(1000 * (typeof seconds === 'number' ? seconds : Number.NaN));
  return Number.isNaN(date.getTime()) ? '?' : date.toISOString().slice(0, 10);
}
