import { OUTPUTS } from '../../infra/names.ts';
import {
  daysLeft,
  type IssuedToken,
  revokeCommand,
  SOON_DAYS,
} from '../../operate/access-tokens/issued-token.ts';
import { withTokenAdmin } from '../../operate/access-tokens/with-token-admin.ts';
import { TOKEN_NAME } from '../shared/stage-access.ts';
import { allProblems, deployed, problem, type Question } from './question.ts';
import { ifMissing, missingTable } from './tables.ts';

/** Days that a token of `npm run verify` may be valid: it has one, and another machine's clock may be ahead. */
const MOST_OF_A_RUN = 1;

/** Whether each client has a token for some time. `npm run verify` and `canary` are no clients. */
export const accessTokens: Question = async (subject) => {
  const table = (await deployed(subject)).output(OUTPUTS.accessTokensTable);
  const where = `--stage ${subject.stage.name}`;
  const issue = (name: string) => `npm run token -- issue ${name} ${where}`;
  const listing = withTokenAdmin(table, subject.settings, (admin) => admin.list());
  const listed = await listing.catch(ifMissing);
  if (listed === undefined) return missingTable(table);
  const ofClients = listed.tokens.filter(({ name }) => name !== TOKEN_NAME);
  // Ordered by expiry, so the map keeps the last token of each name to expire.
  const last = [...new Map(ofClients.map((token) => [token.name, token])).values()];
  const ending = last.filter((token) => daysLeft(token) < SOON_DAYS);
  const stale = listed.tokens.filter((token) => token.name === TOKEN_NAME && daysLeft(token) > MOST_OF_A_RUN);
  const restore = `if clients had some, restore accessTokens (docs/recover.md#restore-to-a-point-in-time); in a new stage, ${issue('first')}`;
  const problems = [
    ...(last.length === 0 ? [problem('no client has one, so every request is refused', restore)] : []),
    ...ending
      .slice(0, 1)
      .map(({ name }) => problem(`expired or expiring soon: ${inWords(ending)}`, issue(name))),
    ...listed.damaged.map((item) =>
      problem(`an item is no token: ${item.digest}`, revokeCommand(item, where)),
    ),
    ...stale.map((token) => problem(`no client: ${inWords([token])}`, revokeCommand(token, where))),
  ];
  return allProblems(problems, `each of ${last.length} clients has one for at least ${SOON_DAYS} days`);
};

function inWords(tokens: readonly IssuedToken[]): string {
  const left = (token: IssuedToken) => (daysLeft(token) < 0 ? 'expired' : `${daysLeft(token)} days left`);
  return tokens.map((token) => `${token.name} (${left(token)})`).join(', ');
}
