import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

Object.assign(process.env, {
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
});

/** What the stub does with a call: answer it, or leave it in one of the ways a network has. */
export type Behaviour =
  | { status: number; body: string; headers?: Record<string, string> }
  | 'hang'
  | 'reset'
  | 'half';

/** What the calls to each operation get, in order; the last one stays in force. A function decides by the request. */
export interface Script {
  readonly GetItem?: Step[];
  readonly PutItem?: Step[];
}
type Step = Behaviour | ((request: http.IncomingMessage) => Behaviour);

/** An answer as DynamoDB gives it. */
export function ok(body: object): Behaviour {
  return { status: 200, body: JSON.stringify(body) };
}

/** An error as DynamoDB gives it. */
export function exception(name: string, status = 400): Behaviour {
  return {
    status,
    body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'in AWS words' }),
  };
}

/** A token that is known until the year 3000, as the table of access tokens answers. */
export const KNOWN_TOKEN = ok({ Item: { name: { S: 'ci' }, expires: { N: '32503680000' } } });

/** In place of DynamoDB: a server on the loopback interface that answers by a script. */
export interface StubStore {
  readonly endpoint: string;
  /** How many calls came, by operation. */
  readonly calls: { GetItem: number; PutItem: number };
  close(): Promise<void>;
}

/** Starts a stub store that answers by a script. */
export async function startStubStore(script: Script): Promise<StubStore> {
  const calls = { GetItem: 0, PutItem: 0 };
  const server = http.createServer((request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] as keyof typeof calls;
    const steps = script[operation] ?? [KNOWN_TOKEN];
    const step = steps[Math.min(calls[operation], steps.length - 1)];
    const behaviour = typeof step === 'function' ? step(request) : step;
    calls[operation] += 1;
    request.resume();
    request.on('end', () => behave(behaviour, response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function behave(behaviour: Behaviour | undefined, response: http.ServerResponse): void {
  if (behaviour === undefined || behaviour === 'hang') return;
  if (behaviour === 'reset') return void response.socket?.resetAndDestroy();
  if (behaviour === 'half') {
    response.writeHead(200, { 'content-length': '100' });
    return void response.write('{"Item"', () => response.socket?.destroy());
  }
  response.writeHead(behaviour.status, {
    'content-type': 'application/x-amz-json-1.0',
    ...behaviour.headers,
  });
  response.end(behaviour.body);
}
