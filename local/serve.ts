import { PlainError } from '../cli/plain-error.ts';
import { print } from '../cli/print.ts';
import { bodyOf, WHOLE } from '../contract/examples.ts';
import { ENVIRONMENT } from '../lambda/environment.ts';
import { isLoopback } from '../lambda/loopback.ts';
import { makeService } from '../lambda/service.ts';
import { documentClient } from '../lambda/store/store.ts';
import type { AcceptMore } from '../lambda/tokens/access-token-table.ts';
import { DataFolder, folderProblem } from './data-folder.ts';
import { createGateway, type GatewayOptions } from './gateway.ts';
import { printAsLambdaLogs } from './lambda-runtime.ts';
import { listen } from './listen.ts';
import { LOCAL_TABLES } from './local-tables.ts';
import { localToken } from './local-token.ts';
import { openStore, storeError } from './open-store.ts';
import { takeOtherLoopback } from './other-loopback.ts';
import { PAGES } from './pages.ts';
import { requestLine } from './request-line.ts';
import { endWhenAsked } from './shutdown.ts';

/** How the local service is started. */
interface ServiceOptions {
  /** The IP address on which it listens. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Its data folder; absent: in memory. */
  readonly data: string | undefined;
  /** The shell's: it may name a store. */
  readonly environment: NodeJS.ProcessEnv;
  /** The origins of the browser apps that may use it. */
  readonly allowedOrigins: readonly string[] | undefined;
  /** What accepts more tokens than its own. */
  readonly accepted: readonly AcceptMore[];
  /** Whether it prints the log; else a line for a person for each request, and the log of errors of the service. */
  readonly isLogged: boolean;
}

/**
 * Starts the local service, and prints how to use it. It ends the process when it is asked to, or has lost its store.
 * @throws PlainError if the address, the port or the data folder cannot be used
 */
export async function serve(options: ServiceOptions): Promise<void> {
  printAsLambdaLogs(options.isLogged);
  const { server, other, store, url, token } = await startService(options);
  const { host, data } = options;
  endWhenAsked({ server, other, store, folder: data });
  print(welcome(url, token, store.accessKeyId === undefined ? store.endpoint : data));
  if (!isLoopback(host))
    print('Everybody who reaches this port from another machine can try access tokens, over plain HTTP.\n');
}

/** Starts a local service. One process can have several. @returns also a valid access token @throws as {@link serve} */
export async function startService(options: ServiceOptions) {
  const { host, port, data, environment, allowedOrigins, accepted, isLogged } = options;
  const folder = data === undefined ? undefined : new DataFolder(data);
  const store = await openStore(folder, environment);
  try {
    const token = await localToken(folder, store.settings);
    const variables = {
      [ENVIRONMENT.plantsTable]: LOCAL_TABLES.plants,
      [ENVIRONMENT.accessTokensTable]: LOCAL_TABLES.accessTokens,
      [ENVIRONMENT.allowedOrigins]: allowedOrigins?.join(' '),
    };
    const client = documentClient(variables, store.settings);
    const { handler } = makeService(variables, client, accepted);
    const onResponse: GatewayOptions['onResponse'] = isLogged
      ? undefined
      : (request, result) => print(requestLine(request, result));
    const server = createGateway(handler, { pages: PAGES, allowedOrigins, onResponse });
    const url = await listen(server, host, port).catch(({ code }: NodeJS.ErrnoException) => {
      throw addressProblem(code, host, port);
    });
    const other = await takeOtherLoopback(server, host, Number(new URL(url).port || 80));
    // With a store elsewhere, it does not have the folder open.
    if (store.accessKeyId !== undefined) folder?.write('url', url);
    return { server, other, store, url, token };
  } catch (error) {
    const cause = await storeError(store);
    await store.close();
    throw cause ? new PlainError(folderProblem(data, cause)) : error;
  }
}

/** Why a server cannot listen. @param code of the system's error */
function addressProblem(code: string | undefined, host: string, port: number): PlainError {
  if (code === 'EADDRNOTAVAIL')
    return new PlainError(`This machine does not have the address ${host}; choose another with --host.`);
  const problem = code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${code})`;
  return new PlainError(`Port ${port} ${problem}; choose another with --port.`);
}

/** What the service prints when it is ready. */
function welcome(url: string, token: string, data: string | undefined): string {
  const pages = PAGES.map(({ title, path }) => `\n  ${title.padEnd(14)} ${url}${path}`);
  return `Plant Store is ready at ${url}

  Access token   ${token}
  Data           ${data ?? 'in memory, lost when the service stops'}${pages.join('')}

Create a plant (docs/clients.md says how in PowerShell and cmd.exe):

  curl ${url}/plants \\
    -H 'Authorization: Bearer ${token}' \\
    -H 'Content-Type: application/json' \\
    -d '${bodyOf(1, WHOLE).replaceAll("'", '\\u0027')}' \\
    -w '\\n'

Stop it with Ctrl-C.
`;
}
