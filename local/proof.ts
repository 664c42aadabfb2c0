import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { connect, type Socket, type TcpNetConnectOpts } from 'node:net';

/** How long a service may take for its proof, in milliseconds. */
const PATIENCE_MS = 3_000;

/**
 * Responds to a challenge, by which a command finds out whether the service at an address has a data folder open, before it sends
 * the folder's token there: the address may be old, and the port another program's. The proof shows that the service knows
 * the token, without revealing it. It holds for one port, so that no other program can pass a challenge on.
 * @param token the access token in the data folder
 * @returns whether it has responded; the gateway responds to the other requests
 */
export function respondWithProof(
  token: string,
  { method, url = '', socket }: http.IncomingMessage,
  response: http.ServerResponse,
): boolean {
  const [, challenge] = /^\/proof\?([0-9a-f]{64})$/.exec(url) ?? [];
  if (method !== 'GET' || challenge === undefined) return false;
  response.end(proofOf(token, challenge, socket.localPort));
  return true;
}

function proofOf(token: string, challenge: string, port: number | undefined): string {
  return createHmac('sha256', token).update(`${port} ${challenge}`).digest('hex');
}

/** Connections for requests with a token. Each is used only after the service has proved that it knows the token. */
export class ProvenAgent extends http.Agent {
  readonly #token: string;

  constructor(token: string) {
    super({ keepAlive: true });
    this.#token = token;
  }

  override createConnection(
    options: http.ClientRequestArgs,
    done: (error: Error | null, socket: Socket) => void = () => undefined,
  ): undefined {
    const socket = connect(options as TcpNetConnectOpts);
    requireProof(socket, this.#token).then(
      () => done(null, socket),
      (error) => done(error, socket),
    );
  }
}

/** Whether the service at a port of this machine knows a token. */
export async function isProven(port: number, token: string): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOurs = await requireProof(socket, token).then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOurs;
}

/** @throws Error with a `code` if no proof comes; the connection is then closed */
async function requireProof(socket: Socket, token: string): Promise<void> {
  // Without a listener, an error after the proof would end the process.
  socket.on('error', () => undefined);
  const challenge = randomBytes(32).toString('hex');
  socket.write(`GET /proof?${challenge} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  const signal = AbortSignal.timeout(PATIENCE_MS);
  // A proof is sent in one piece; of anything else, the first piece shows that it is none.
  const [received] = await Promise.race([once(socket, 'data', { signal }), once(socket, 'close')]).catch(
    (error) => {
      if (signal.aborted) return [];
      throw error;
    },
  );
  if (String(received).endsWith(`\r\n\r\n${proofOf(token, challenge, socket.remotePort)}`)) return;
  socket.destroy();
  throw Object.assign(new Error('No proof came.'), { code: 'NO_PROOF' });
}
