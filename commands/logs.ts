/** `npm run logs`: runs a deployed query over the logs of a stage, and prints what it finds. */

import { columns, runCommand, UsageError, wholeNumber } from '../cli/command-line.ts';
import { withInterrupt } from '../cli/interrupt.ts';
import { PlainError } from '../cli/plain-error.ts';
import { print, printError } from '../cli/print.ts';
import { progressLine } from '../cli/progress.ts';
import { findStage } from '../infra/find-stage.ts';
import { QUERIES } from '../infra/queries.ts';
import { PREFIX } from '../lambda/tokens/token-format.ts';

const MOST_HOURS = 24 * 3_653;
const NAMES = Object.keys(QUERIES);
const ONE_OF_THEM = `${NAMES.slice(0, -1).join(', ')} or ${NAMES.at(-1)}`;

/** Ids and names, also those that others choose: printable ASCII, without what ends the text of a query. Not a token itself. */
const VALUE = /^[ !#-[\]-~]{1,256}$/;

await runCommand({
  script: 'logs',
  usage: '--stage NAME --query NAME [--request ID] [--name NAME] [--version V] [--hours N] [--ids | --json]',
  about: 'Runs a query that is deployed with a stage over its logs, and prints what it finds.',
  apart: [['ids', 'json']],
  options: {
    stage: { value: 'NAME', about: 'the stage' },
    query: { value: 'NAME', about: `the query: ${ONE_OF_THEM}` },
    request: {
      value: 'ID',
      about: 'for the query request: the x-request-id of a response, or --request=ID with that of a plant',
    },
    name: { value: 'NAME', about: 'for token, created and maybe-created: the name of an access token' },
    version: { value: 'V', about: 'for version: a version of the function' },
    hours: { value: 'N', about: 'how far back to search', default: '1' },
    ids: { about: 'print only the ids of the plants, each once, one a line; use npm run -s' },
    json: { about: 'print each row as a JSON object, one a line; use npm run -s' },
  },
  notes: `Waits until the query is complete; Ctrl-C stops the query too. All times are UTC. Uses the credentials and the
Region of the AWS CLI. docs/log.md explains the queries and the fields.

Exit codes: 0 if the query completed, even without results; 1 otherwise; 2 if the command is invalid.`,
  async main({ stage: name, query, hours, ids, json, ...written }) {
    const stage = findStage(name);
    if (query === undefined) throw new UsageError(`Name the query: --query NAME, which is ${ONE_OF_THEM}.`);
    if (!NAMES.includes(query)) throw new UsageError(`--query must be ${ONE_OF_THEM}.`);
    const seconds = 3_600 * wholeNumber('hours', hours, 1, MOST_HOURS);
    const parameters = parametersOf(query, written);
    const { runQuery } = await import('../operate/logs/run-query.ts');
    const endTime = Math.ceil(Date.now() / 1_000);
    const time = { startTime: endTime - seconds, endTime };
    const show = progressLine();
    const onProgress = (lines: number) => show(() => `${lines.toLocaleString('en')} lines searched`);
    const { names, rows, isPartial, matched, searched } = await withInterrupt('Interrupted.', ({ signal }) =>
      runQuery(stage, query, parameters, time, { signal, onProgress }),
    ).finally(show);
    if (rows.length > 0) {
      const lines = ids ? idsOf(names, rows) : json ? objectsOf(names, rows) : columns([names, ...rows]);
      // Line by line, because all of them may be longer than a string can be.
      for (const line of lines) print(line);
    }
    const since = new Date(1_000 * time.startTime).toISOString().slice(0, 16).replace('T', ' ');
    const first = isPartial ? 'The first ' : '';
    printError(
      `${first}${rows.length.toLocaleString('en')} rows from ${matched.toLocaleString('en')} matching lines; ` +
        `${searched.toLocaleString('en')} lines searched since ${since} UTC.`,
    );
  },
});

/** @throws PlainError if the query finds no ids of plants */
function idsOf(names: string[], rows: string[][]): Iterable<string> {
  const at = names.indexOf('message.id');
  if (at === -1) throw new PlainError('The query finds no ids of plants.');
  return new Set(rows.flatMap((row) => row[at] || []));
}

function objectsOf(names: string[], rows: string[][]): string[] {
  // An absent field is empty.
  return rows.map((row) =>
    JSON.stringify(Object.fromEntries(names.flatMap((name, n) => (row[n] ? [[name, row[n]]] : [])))),
  );
}

/**
 * Checks the parameters of a query.
 * @param written the values, by the names of their options
 * @throws UsageError if a parameter is missing, not used, or not valid
 */
function parametersOf(query: string, written: Record<string, string | undefined>): Record<string, string> {
  const name = QUERIES[query]?.parameter?.name;
  const unused = Object.keys(written).find((each) => written[each] !== undefined && each !== name);
  if (unused !== undefined) throw new UsageError(`The query ${query} does not use --${unused}.`);
  if (name === undefined) return {};
  const value = written[name];
  if (value === undefined) throw new UsageError(`The query ${query} needs --${name}.`);
  if (VALUE.test(value) && !value.startsWith(PREFIX)) return { [name]: value };
  throw new UsageError(
    `--${name} must have 1 to 256 printable ASCII characters without quotation marks and backslashes, and be no token.`,
  );
}
