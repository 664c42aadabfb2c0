/** `npm run lab -- clients`: generates a client in each language, and runs it against the local service. */
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { runCommand } from '../../cli/command-line.ts';
import { print } from '../../cli/print.ts';
import { startScriptedService } from '../../client/test/scripted-service.ts';
import { startLocalProcess } from '../../test/support/local-process.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { shell } from '../process.ts';
import { runTrials } from '../run-trials.ts';
import { RETRY_TRIALS } from './retries.ts';

/** How one client is generated, built and run, or the service is tested; recipes.yaml explains the fields. */
interface Recipe {
  readonly name: string;
  readonly generator: string;
  readonly build: string;
  readonly run?: string;
  readonly test?: string;
}

const RECIPES: readonly Recipe[] = parse(readFileSync(new URL('recipes.yaml', import.meta.url), 'utf8'));
const CONTRACT = path.resolve(import.meta.dirname, '../../contract');
/** The ids that each program creates. A double changes both. */
const IDS = ['9007199254740993', '9223372036854775807'];
/** What it prints: the names of these two plants, and the number of the conflict of a third one with the last id. */
const PRINTED = 'Fern\nFern\n40901\n';
/** What it prints with a token that nobody has. */
const REFUSED = '40102\n40102\n40102\n';
const later = (status: number, body: string) => ({
  status,
  body,
  headers: { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', 'X-Request-Id': 'any' },
});
const CREATED = later(200, '{"name":"Fern","addedLater":{"by":"a later version"}}');
/** The responses of a later version of the service, which may have more properties. */
const LATER = [CREATED, CREATED, later(400, '{"error":40901,"message":"Taken.","addedLater":true}')];

const TRIALS = [
  ...RECIPES.map((recipe) => ({
    name: recipe.name,
    about: recipe.generator,
    run: async () => print(`  ${await tryClient(recipe)}`),
  })),
  ...RETRY_TRIALS,
];

await runCommand({
  script: 'lab',
  verb: 'clients',
  usage: '[NAME...]',
  about: `Generates clients from openapi.yaml, builds them, and lets each create two plants, get a conflict, and be refused for an
unknown token; sends requests made from it with Schemathesis; lets programs with libraries that retry meet each kind of failure. Exits
with 1 if one fails.`,
  options: {},
  notes: `NAME is one of ${TRIALS.map(({ name }) => name).join(', ')}.
They need Python 3 with venv, Go, a JDK, Maven and Cargo. The generators and libraries come from npm, PyPI, Maven Central, crates.io and
the Go module proxy; all files go to a temporary folder.`,
  operands: true,
  main: (_, names) => runTrials(TRIALS, names),
});

/**
 * Builds a client, and runs it against the service and against a later version of it.
 * @returns what it did
 * @throws Error if a command fails, the output is not the expected one, or the table has another id
 */
async function tryClient({ name, build, run, test }: Recipe): Promise<string> {
  const folder = temporaryFolder();
  cpSync(path.join(import.meta.dirname, name), folder, { recursive: true });
  for (const file of ['openapi.yaml', 'openapi-3.0.yaml'])
    cpSync(path.join(CONTRACT, file), path.join(folder, file));
  await shell(build, { cwd: folder });

  const service = await startLocalProcess(temporaryFolder());
  const later = await startScriptedService(...LATER);
  const use = (commands: string, url: string, token: string) =>
    shell(commands, { cwd: folder, env: { BASE_URL: url, PLANT_STORE_TOKEN: token } });
  try {
    if (run === undefined) return (await use(`${test} | grep generated`, service.url, service.token)).trim();
    for (const [url, token, expected] of [
      [service.url, service.token, PRINTED],
      [service.url, 'unknown', REFUSED],
      [later.url, service.token, PRINTED],
    ] as const) {
      const printed = await use(run, url, token);
      if (printed !== expected) throw new Error(`it printed ${JSON.stringify(printed)}`);
    }
    for (const id of IDS)
      if ((await service.item(id))?.name !== 'Fern') throw new Error(`the table has no plant ${id}`);
  } finally {
    await later.close();
    await service.end('SIGTERM');
  }
  return `created ${IDS.join(' and ')}; read 40901 and 40102; ignored a new property`;
}
