import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Handler } from '../lambda/create-plant.ts';
import { ENVIRONMENT } from '../lambda/environment.ts';
import { answerPage } from '../local/api-page.ts';
import { DataFolder } from '../local/data-folder.ts';
import { createGateway } from '../local/gateway.ts';
import { printAsLambdaLogs } from '../local/lambda-log.ts';
import { openStore } from '../local/open-store.ts';
import { PlainError } from '../local/plain-error.ts';
import { endWhenAsked } from '../local/shutdown.ts';
import { LOCAL_TABLES } from '../local/tables.ts';
import { localToken } from './local-token.ts';

/** Where the local service listens, what it keeps, and which browser apps may use it. */
export interface LocalService {
  /** 0 for any free port. */
  readonly port: number;
  /** The data folder; in memory without it. */
  readonly folder: string | undefined;
  readonly allowedOrigins: readonly string[] | undefined;
}

/**
 * Starts the local service, and prints how to use it.
 * @returns its address and a valid access token
 * @throws PlainError if the port or the data folder cannot be used
 */
export async function serve(options: LocalService): Promise<{ url: string; token: string }> {
  const { port, allowedOrigins } = options;
  const folder = options.folder === undefined ? undefined : new DataFolder(options.folder);
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
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  console.info(welcome(url, token, folder?.path));
  return { url, token };
}

/** Loads the function's module after setting its environment, which the module reads when it is loaded. */
async function loadHandler(allowedOrigins: LocalService['allowedOrigins']): Promise<Handler> {
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
    const problem = code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${code})`;
    throw new PlainError(`Port ${port} ${problem}; choose another with --port.`);
  }
}

/** What the service prints when it is ready. */
export function welcome(url: string, token: string, folder: string | undefined): string {
  return `Plant Store is ready at ${url}

  Access token   ${token}
  Data           ${folder ?? 'in memory, lost when the service stops'}
  API page       ${url}/docs

Create a plant:

  curl ${url}/plants \\
    -H 'Authorization: Bearer ${token}' \\
    -H 'Content-Type: application/json' \\
    -d '{"id": 1, "name": "Fern", "tag": "shade"}' \\
    -w '\\n'

Stop it with Ctrl-C.
`;
}
