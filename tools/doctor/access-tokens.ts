import {
  daysLeft,
  type IssuedToken,
  revokeCommand,
  SOON_DAYS,
} from '../../infra/access-tokens/issued-token.ts';
import { withTokenAdmin } from '../../infra/access-tokens/with-token-admin.ts';
import { OUTPUTS } from '../../infra/names.ts';
import { TOKEN_NAME } from '../shared/stage-access.ts';
import { allProblems, deployed, ok, problem, type Question } from './question.ts';
import { ifMissing, missingTable } from './tables.ts';

/** Days that a token of `npm run verify` may be valid: it has one, and another machine's clock may be ahead. */
const MOST_OF_A_RUN = 1;

/** Whether each client has a token for some time. `npm run verify` and `canary` are no clients. */
export const accessTokens: Question = async (subject) => {
  const table = (await deployed(subject)).output(OUTPUTS.accessTokensTable);
  const where = `--stage ${subject.stage.name}`;
  const issue = (name: string) => `npm run token -- issue ${name} ${where}`;
  const listed = await withTokenAdmin(table, subject.settings, (admin) => admin.list()).catch(
    ifMissing(undefined),
  );
  if (listed === undefined) return problem(...missingTable(table));
  const ofClients = listed.tokens.filter(({ name }) => name !== TOKEN_NAME);
  // Ordered by expiry, so the map keeps the last token of each name to expire.
  const last = [...new Map(ofClients.map((token) => [token.name, token])).values()];
  const ending = last.filter((token) => daysLeft(token) < SOON_DAYS);
  const stale = listed.tokens.filter((token) => token.name === TOKEN_NAME && daysLeft(token) > MOST_OF_A_RUN);
  const restore = `if clients had some, restore accessTokens (docs/recover.md#restore-to-a-point-in-time); in a new stage, ${issue('first')}`;
  const problems = [
    ...(last.length === 0 ? [['no client has one, so every request is refused', restore] as const] : []),
    ...ending
      .slice(0, 1)
      .map(({ name }) => [`expired or expiring soon: ${inWords(ending)}`, issue(name)] as const),
    ...listed.damaged.map(
      (item) => [`an item is no token: ${item.digest}`, revokeCommand(item, where)] as const,
    ),
    ...stale.map((token) => [`no client: ${inWords([token])}`, revokeCommand(token, where)] as const),
  ];
  return allProblems(problems) ?? ok(`each of ${last.length} clients has one for at least ${SOON_DAYS} days`);
};

function inWords(tokens: readonly IssuedToken[]): string {
  const list = tokens.map((token) =>
    daysLeft(token) < 0 ? `${token.name} (expired)` : `${token.name} (${daysLeft(token)} days left)`,
  );
  return list.join(', ');
}
