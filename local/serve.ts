import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PlainError } from '../cli/plain-error.ts';
import { print } from '../cli/print.ts';
import { bodyOf, WHOLE } from '../contract/examples.ts';
import { ENVIRONMENT, IDENTITY_PROVIDER } from '../lambda/environment.ts';
import type { Handler } from '../lambda/middleware.ts';
import type { IdentityProvider } from '../lambda/store/json-web-tokens.ts';
import { responsePage } from './api-page.ts';
import { DataFolder, folderProblem } from './data-folder.ts';
import { createGateway } from './gateway.ts';
import { printAsLambdaLogs } from './lambda-runtime.ts';
import { isLoopback, urlOf } from './listen-address.ts';
import { LOCAL_TABLES } from './local-tables.ts';
import { localToken } from './local-token.ts';
import { openStore, storeError } from './open-store.ts';
import { endWhenAsked } from './shutdown.ts';

/** How the local service is started. */
interface ServiceOptions {
  /** The IP address on which it listens. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Its data folder; absent: in memory. */
  readonly data: string | undefined;
  /** The origins of the browser apps that may use it. */
  readonly allowedOrigins: readonly string[] | undefined;
  /** Whose tokens it accepts beside its own. */
  readonly identityProvider: IdentityProvider | undefined;
}

/**
 * Starts the local service, and prints how to use it.
 * @returns its address and a valid access token
 * @throws PlainError if the address, the port or the data folder cannot be used
 */
export async function serve({
  host,
  port,
  data,
  allowedOrigins,
  identityProvider,
}: ServiceOptions): Promise<{ url: string; token: string }> {
  const folder = data === undefined ? undefined : new DataFolder(data);
  const store = await openStore(folder);
  try {
    const token = await localToken(folder);
    const server = createGateway(await loadHandler(allowedOrigins, identityProvider), {
      responsePage,
      allowedOrigins,
    });
    await listen(server, host, port);
    endWhenAsked(server, store, data);
    const url = urlOf(host, (server.address() as AddressInfo).port);
    // With a store elsewhere, it does not have the folder open.
    if (store.accessKeyId !== undefined) folder?.write('url', url);
    print(welcome(url, token, store.accessKeyId === undefined ? store.endpoint : data));
    if (!isLoopback(host))
      print('Everybody who reaches this port from another machine can try access tokens, over plain HTTP.\n');
    return { url, token };
  } catch (error) {
    const cause = await storeError(store);
    await store.close();
    throw cause ? new PlainError(folderProblem(data, cause)) : error;
  }
}

/** Loads the function's module after setting its environment, which the module reads when it is loaded. */
async function loadHandler(
  allowedOrigins: ServiceOptions['allowedOrigins'],
  identityProvider: ServiceOptions['identityProvider'],
): Promise<Handler> {
  process.env[ENVIRONMENT.plantsTable] = LOCAL_TABLES.plants;
  process.env[ENVIRONMENT.accessTokensTable] = LOCAL_TABLES.accessTokens;
  if (allowedOrigins) process.env[ENVIRONMENT.allowedOrigins] = allowedOrigins.join(' ');
  else delete process.env[ENVIRONMENT.allowedOrigins];
  if (identityProvider) process.env[IDENTITY_PROVIDER] = JSON.stringify(identityProvider);
  else delete process.env[IDENTITY_PROVIDER];
  printAsLambdaLogs();
  const { handler } = await import('../lambda/handler.ts');
  return handler;
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRNOTAVAIL')
      throw new PlainError(`This machine does not have the address ${host}; choose another with --host.`);
    const problem = code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${code})`;
    throw new PlainError(`Port ${port} ${problem}; choose another with --port.`);
  }
}

/** What the service prints when it is ready. */
function welcome(url: string, token: string, data: string | undefined): string {
  return `Plant Store is ready at ${url}

  Access token   ${token}
  Data           ${data ?? 'in memory, lost when the service stops'}
  API page       ${url}/docs

Create a plant:

  curl ${url}/plants \\
    -H 'Authorization: Bearer ${token}' \\
    -H 'Content-Type: application/json' \\
    -d '${bodyOf(1, WHOLE).replaceAll("'", '\\u0027')}' \\
    -w '\\n'

Stop it with Ctrl-C.
`;
}
