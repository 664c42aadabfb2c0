import { once } from 'node:events';
import { createServer } from 'node:net';
import { listen } from '../test/support/listen.ts';

/** @returns an address of the loopback interface, such as `http://127.0.0.1:8080`, on which nothing listens */
export async function freeAddress(): Promise<string> {
  const server = createServer();
  const address = await listen(server);
  server.close();
  await once(server, 'close');
  return address;
}
