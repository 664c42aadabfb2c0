import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a call to the store meets instead of the store. */
export type StoreFault = 'hangs' | 'throttles';

/** A DynamoDB address in front of another one. */
export interface FaultyStore {
  readonly endpoint: string;
  close(): void;
}

/**
 * Passes calls on to a store, but for those of one operation.
 * @param operation DynamoDB's name for it, such as `PutItem`
 */
export async function startFaultyStore(
  endpoint: string,
  operation: string,
  fault: StoreFault,
): Promise<FaultyStore> {
  const server = http.createServer((request, response) => {
    if (!String(request.headers['x-amz-target']).endsWith(`.${operation}`)) {
      const options = { method: 'POST', headers: request.headers };
      const passed = http.request(endpoint, options, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      request.pipe(passed);
    } else if (fault === 'throttles') {
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
      response.end('{"__type":"com.amazonaws.dynamodb.v20120810#ThrottlingException","message":""}');
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
