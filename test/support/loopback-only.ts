/** Loaded before each test file: a test fails if it opens a port of this process to other machines. */
import { subscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:net';
import { isLoopback } from '../../lambda/loopback.ts';

subscribe('tracing:net.server.listen:asyncEnd', (message) => {
  const address = (message as { server: Server }).server.address();
  if (address instanceof Object && !isLoopback(address.address))
    throw new Error(`A test opened port ${address.port} of ${address.address} to other machines.`);
});
