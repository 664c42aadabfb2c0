import { parseArgs } from 'node:util';
import { isTokenFormat } from '../lambda/request/token-format.ts';
import { PlainError, runCommand } from '../local/plain-error.ts';
import { refusedCases, writingCases } from './verify/case-checks.ts';
import { type Check, errorOf, judge, type Result } from './verify/check.ts';
import { gatewayChecks } from './verify/gateway-checks.ts';
import { plantChecks, VERIFY_BODY } from './verify/plant-checks.ts';
import { progressBar } from './verify/progress.ts';
import { report, summaryOf } from './verify/report.ts';
import { Service } from './verify/service.ts';
import { writeChecks } from './verify/write-checks.ts';

const USAGE = `npm run verify -- --url BASE_URL --token TOKEN [--write] [--json]
  --url BASE_URL   what stands before /plants: http://localhost:3000, or https://… with the stage's path
  --token TOKEN    a valid access token; or put it into the environment as PLANT_STORE_TOKEN
  --write          also create plants, in a range of ids of its own, race for ids, and try the ends of int64
  --json           print the results as JSON
Without --write it creates one plant, the same in every run. Exits with 1 when anything does not hold.`;

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      token: { type: 'string', default: process.env.PLANT_STORE_TOKEN ?? '' },
      write: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.info(USAGE);
  const service = new Service(readUrl(values.url), readToken(values.token));
  try {
    await requireWelcome(service);
    const results = await runChecks(chooseChecks(values.write), service);
    const summary = summaryOf(results);
    console.info(
      values.json
        ? JSON.stringify({ baseUrl: service.baseUrl, ...summary, results }, null, 2)
        : `${report(results)}\n`,
    );
    if (summary.didNotHold > 0) process.exitCode = 1;
  } finally {
    service.close();
  }
});

function readUrl(text: string | undefined): string {
  const url = text === undefined ? null : URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw new PlainError(USAGE);
  return url.origin + url.pathname.replace(/\/$/, '');
}

function readToken(text: string): string {
  if (text === '') throw new PlainError(USAGE);
  if (!isTokenFormat(text))
    throw new PlainError(
      'TOKEN is not an access token: plants_ and 49 letters and digits, the last six of them a sum.',
    );
  return text;
}

/** With a wrong address or token every rule would fail, and none of that would be the service's fault. */
async function requireWelcome(service: Service): Promise<void> {
  const answer = await service.send({ body: VERIFY_BODY, headers: authorization(service) }).catch((error) => {
    throw new PlainError(`${service.baseUrl} cannot be reached (${error.code ?? error.message}).`);
  });
  if (errorOf(answer) === 40102)
    throw new PlainError(`${service.baseUrl} refuses this token (40102); issue one with npm run token.`);
}

function authorization({ tokens }: Service): [string, string][] {
  return [['authorization', `Bearer ${tokens.token}`]];
}

function chooseChecks(write: boolean): Check[] {
  const checks = [...plantChecks(), ...refusedCases(), ...gatewayChecks()];
  return write ? [...checks, ...writingCases(), ...writeChecks()] : checks;
}

/** One after the other: a stage that is throttled low is not what is to be found out. */
async function runChecks(checks: readonly Check[], service: Service): Promise<Result[]> {
  const progress = progressBar(checks.length);
  const results: Result[] = [];
  for (const check of checks) {
    progress(results.length, check.rule);
    results.push(await judge(check, service));
  }
  progress();
  return results;
}
