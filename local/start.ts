import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import type { Handler } from '../lambda/create-plant.ts';
import { ENVIRONMENT } from '../lambda/environment.ts';
import { answerPage } from './api-page.ts';
import { DataFolder } from './data-folder.ts';
import { DEFAULT_DATA_FOLDER, DEFAULT_PORT } from './defaults.ts';
import { createGateway } from './gateway.ts';
import { printAsLambdaLogs } from './lambda-log.ts';
import { localToken } from './local-token.ts';
import { openStore } from './open-store.ts';
import { PlainError, runCommand } from './plain-error.ts';
import { endWhenAsked } from './shutdown.ts';
import { LOCAL_TABLES } from './tables.ts';

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: String(DEFAULT_PORT) },
      data: { type: 'string', default: DEFAULT_DATA_FOLDER },
      memory: { type: 'boolean', default: false },
    },
  });
  const port = readPort(values.port);
  const folder = values.memory ? undefined : new DataFolder(values.data);
  const store = await openStore({ folder });
  const token = await localToken(folder);
  const server = createGateway(await loadHandler(), { answerPage });
  try {
    await listen(server, port);
  } catch (error) {
    await store.close();
    throw error;
  }
  endWhenAsked(server, store, values.data);
  printWelcome(
    (server.address() as AddressInfo).port,
    token,
    folder?.path ?? 'in memory, gone when it stops',
  );
});

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new PlainError(`--port must be from 0 to 65535, not "${text}".`);
  return port;
}

/** The function's module reads its environment when it is loaded, so it is loaded when the environment is right. */
async function loadHandler(): Promise<Handler> {
  process.env[ENVIRONMENT.plantsTable] = LOCAL_TABLES.plants;
  process.env[ENVIRONMENT.accessTokensTable] = LOCAL_TABLES.accessTokens;
  printAsLambdaLogs();
  const { handler } = await import('../lambda/handler.ts');
  return handler;
}

/** Listens on the loopback interface only: the local token is no match for a network. */
async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new PlainError(`Port ${port} is taken; choose another with --port.`);
    throw new PlainError(`Port ${port} cannot be listened on (${code}); choose another with --port.`);
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
    -d '{"id": 1, "name": "Fern", "tag": "shade"}'

Stop it with Ctrl-C.
`);
}
