/** `npm run lab -- clients`: generates a client in each language, and runs it against the local service. */
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { runCommand, UsageError } from '../../cli/command-line.ts';
import { startScriptedService } from '../../client/test/scripted-service.ts';
import { startLocalProcess, temporaryFolder } from '../../test/support/local-process.ts';
import { refuseOpenPorts } from '../open-ports.ts';
import { shell } from '../shell.ts';
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
const OPENAPI = path.resolve(import.meta.dirname, '../../contract/openapi.yaml');
const ID = '9223372036854775807';
/** What each program prints: the name of the plant that it created, and the number of the conflict. */
const PRINTED = 'Fern\n40901\n';
/** The responses of a later version of the service, which may have more properties. */
const LATER = [
  { status: 200, body: '{"name":"Fern","addedLater":{"by":"a later version"}}' },
  { status: 400, body: '{"error":40901,"message":"Taken.","addedLater":true}' },
];

const TRIALS = [
  ...RECIPES.map((recipe) => ({
    name: recipe.name,
    about: recipe.generator,
    run: () => tryClient(recipe),
  })),
  ...RETRY_TRIALS,
];

await runCommand(
  {
    script: 'lab',
    verb: 'clients',
    usage: '[NAME...]',
    about: `Generates clients from openapi.yaml, builds them, and lets each create a plant and get a conflict; sends requests made
from it with Schemathesis; lets programs with libraries that retry meet each kind of failure. Exits with 1 if one fails.`,
    options: {},
    notes: `NAME is one of ${TRIALS.map(({ name }) => name).join(', ')}.
They need Python 3 with venv, Go, a JDK, Maven and Cargo. The generators and libraries come from npm, PyPI, Maven Central, crates.io and
the Go module proxy; all files go to a temporary folder.`,
    operands: true,
  },
  async (_, names) => {
    const unknown = names.find((name) => !TRIALS.some((trial) => trial.name === name));
    if (unknown !== undefined) throw new UsageError(`There is no client ${unknown}; --help shows the names.`);
    const chosen = TRIALS.filter(({ name }) => names.length === 0 || names.includes(name));
    const failed: string[] = [];
    for (const { name, about, run } of chosen) {
      console.info(`${name}: ${about}`);
      const result = await run().catch((error: Error) => {
        failed.push(name);
        return `FAILED: ${error.message}`;
      });
      console.info(`  ${result}`);
    }
    console.info(failed.length === 0 ? '\nNone failed.' : `\nFailed: ${failed.join(', ')}`);
    return failed.length === 0;
  },
);

/**
 * Builds a client, and runs it against the service and against a later version of it.
 * @returns what it did
 * @throws Error if a command fails, the output is not the expected one, or the table has another id
 */
async function tryClient({ name, build, run, test }: Recipe): Promise<string> {
  const folder = temporaryFolder();
  cpSync(path.join(import.meta.dirname, name), folder, { recursive: true });
  cpSync(OPENAPI, path.join(folder, 'openapi.yaml'));
  await shell(build, folder);

  const service = await startLocalProcess(temporaryFolder());
  const later = await startScriptedService(...LATER);
  refuseOpenPorts();
  const use = (commands: string, url: string) =>
    shell(commands, folder, { BASE_URL: url, PLANT_STORE_TOKEN: service.token });
  try {
    if (run === undefined) return (await use(`${test} | grep generated`, service.url)).trim();
    for (const url of [service.url, later.url]) {
      const printed = await use(run, url);
      if (printed !== PRINTED) throw new Error(`it printed ${JSON.stringify(printed)}`);
    }
    if ((await service.item(ID))?.name !== 'Fern') throw new Error(`the table has no plant ${ID}`);
  } finally {
    await later.close();
    await service.end('SIGTERM');
  }
  return `created ${ID}; read 40901; ignored a new property`;
}
