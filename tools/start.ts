import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { originProblem } from '../infra/origins.ts';
import type { Handler } from '../lambda/create-plant.ts';
import { ENVIRONMENT } from '../lambda/environment.ts';
import { answerPage } from '../local/api-page.ts';
import { DataFolder } from '../local/data-folder.ts';
import { DEFAULT_DATA_FOLDER, DEFAULT_PORT } from '../local/defaults.ts';
import { createGateway } from '../local/gateway.ts';
import { printAsLambdaLogs } from '../local/lambda-runtime.ts';
import { openStore } from '../local/open-store.ts';
import { PlainError } from '../local/plain-error.ts';
import { endWhenAsked } from '../local/shutdown.ts';
import { LOCAL_TABLES } from '../local/tables.ts';
import { runCommand, UsageError, wholeNumber } from './command-line.ts';
import { localToken } from './local-token.ts';

await runCommand(
  {
    usage: 'npm start -- [--port N] [--data DIR | --memory] [--allow-origin ORIGIN]...',
    about:
      'Runs the service on this machine, with an embedded store. It prints its address and an access token.',
    options: {
      port: { value: 'N', about: 'the port; 0 for any free port', default: String(DEFAULT_PORT) },
      data: {
        value: 'DIR',
        about: `the folder that keeps plants and tokens (default: ${DEFAULT_DATA_FOLDER})`,
      },
      memory: { about: 'keep nothing when the service stops' },
      'allow-origin': {
        value: 'ORIGIN',
        about: 'let the pages of this origin use the service, such as http://localhost:5173; repeatable',
        repeatable: true,
      },
    },
    notes: `If ${ENVIRONMENT.endpoint} is set, that store is used instead of the embedded one.`,
  },
  async ({ port, data, memory, 'allow-origin': allowedOrigins }) => {
    const number = wholeNumber('port', port, 0, 65_535);
    if (memory && data !== undefined)
      throw new UsageError('--memory keeps nothing, so it cannot be used together with --data.');
    checkOrigins(allowedOrigins);
    const folder = memory ? undefined : new DataFolder(data ?? DEFAULT_DATA_FOLDER);
    await start(number, folder, allowedOrigins);
  },
);

function checkOrigins(allowedOrigins: readonly string[] | undefined): void {
  const problem = allowedOrigins && originProblem(allowedOrigins, false);
  if (problem)
    throw new UsageError(
      `--allow-origin cannot be ${JSON.stringify(problem.value)}; it must be ${problem.mustBe}.`,
    );
}

async function start(
  port: number,
  folder: DataFolder | undefined,
  allowedOrigins: readonly string[] | undefined,
): Promise<void> {
  const store = await openStore({ folder });
  const token = await localToken(folder);
  const server = createGateway(await loadHandler(allowedOrigins), { answerPage, allowedOrigins });
  try {
    await listen(server, port);
  } catch (error) {
    await store.close();
    throw error;
  }
  endWhenAsked(server, store, folder?.path);
  printWelcome(
    (server.address() as AddressInfo).port,
    token,
    folder?.path ?? 'in memory, lost when the service stops',
  );
}

/** Loads the function's module after setting its environment, which the module reads when it is loaded. */
async function loadHandler(allowedOrigins: readonly string[] | undefined): Promise<Handler> {
  process.env[ENVIRONMENT.plantsTable] = LOCAL_TABLES.plants;
  process.env[ENVIRONMENT.accessTokensTable] = LOCAL_TABLES.accessTokens;
  if (allowedOrigins) process.env[ENVIRONMENT.allowedOrigins] = allowedOrigins.join(' ');
  else delete process.env[ENVIRONMENT.allowedOrigins];
  printAsLambdaLogs();
  const { handler } = await import('../lambda/handler.ts');
  return handler;
}

/** Listens on the loopback interface only: the service is not meant for a network. */
async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new PlainError(`Port ${port} is in use; choose another with --port.`);
    throw new PlainError(`Port ${port} cannot be used (${code}); choose another with --port.`);
  }
}

function printWelcome(port: number, token: string, data: string): void {
  console.info(`Plant Store is ready at http://localhost:${port}

  Access token   ${token}
  Data           ${data}
  API page       http://localhost:${port}/docs

Create a plant:

  curl http://localhost:${port}/plants \\
    -H 'Authorization: Bearer ${token}' \\
    -H 'Content-Type: application/json' \\
    -d '{"id": 1, "name": "Fern", "tag": "shade"}' \\
    -w '\\n'

Stop it with Ctrl-C.
`);
}
