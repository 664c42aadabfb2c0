/** `npm run logs`: runs a deployed query over the logs of a stage, and prints what it finds. */
import { runCommand, table, UsageError, wholeNumber } from '../terminal/command-line.ts';
import { withInterrupt } from '../terminal/interrupt.ts';
import { print, printError } from '../terminal/print.ts';
import { progressBar } from '../terminal/progress.ts';
import { stageNamed } from './stage/stage-option.ts';

const MOST_HOURS = 24 * 3_653;
/** StartQuery returns no more rows, unless it is told to. */
const MOST_ROWS = 10_000;

await runCommand(
  {
    usage: 'npm run logs -- --stage NAME --query NAME [--request ID] [--name NAME] [--hours N]',
    about: 'Runs a query that is deployed with a stage over its logs, and prints what it finds.',
    options: {
      stage: { value: 'NAME', about: 'the stage' },
      query: { value: 'NAME', about: 'the query, such as errors; a wrong name lists them' },
      request: { value: 'ID', about: 'for the query request: the x-request-id of an answer' },
      name: { value: 'NAME', about: 'for the query token: the name of an access token, not the token' },
      hours: { value: 'N', about: 'how far back to search', default: '1' },
    },
    notes: `Waits until the query is complete; Ctrl-C stops the query too. All times are UTC. Uses the credentials and the
Region of the AWS CLI. docs/runbook-alarms.md explains the queries and the fields.

Exit codes: 0 if the query is complete, also if it finds nothing, 1 if not, 2 if the command is invalid.`,
  },
  async ({ stage: name, query, hours, ...parameters }) => {
    const stage = stageNamed(name);
    if (query === undefined) throw new UsageError('Name the query: --query NAME, such as errors.');
    const seconds = 3_600 * wholeNumber('hours', hours, 1, MOST_HOURS);
    const [{ deployedStack }, { readyQuery }, { runQuery }] = await Promise.all([
      import('./stage/deployed-stack.ts'),
      import('./logs/definition.ts'),
      import('./logs/run-query.ts'),
    ]);
    const { settings } = await deployedStack(stage);
    const ready = await readyQuery(stage, settings, query, parameters);
    const to = Math.ceil(Date.now() / 1_000);
    const from = to - seconds;
    const show = progressBar(undefined);
    const onProgress = (lines: number) => show(0, `${lines.toLocaleString('en')} lines searched`);
    const { rows, searched } = await withInterrupt('Interrupted.', ({ signal }) =>
      runQuery(ready, { from, to }, settings, { signal, onProgress }),
    ).finally(() => show());
    if (rows.length > 0) print(table(rows));
    const found =
      rows.length > MOST_ROWS ? `The first ${MOST_ROWS.toLocaleString('en')}` : Math.max(0, rows.length - 1);
    const since = new Date(1_000 * from).toISOString().slice(0, 16).replace('T', ' ');
    printError(`${found} rows; ${searched.toLocaleString('en')} lines searched since ${since} UTC.`);
  },
);
