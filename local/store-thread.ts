/** The thread of the embedded store: dynalite would otherwise share one event loop with the function that calls it. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import dynalite from 'dynalite';
import type { StoreMessage, StoreThreadData } from './embedded-store.ts';
import { storeFiles } from './store-files.ts';
import { guardStore } from './store-guard.ts';

/** The interval between checks that the store's files exist, in milliseconds; each request causes one too. */
const CHECK_MS = 500;

const { path, accessKeyId } = workerData as StoreThreadData;
const parent = parentPort as MessagePort;
const tell = (message: StoreMessage) => parent.postMessage(message);

const server = dynalite({ ...(path === undefined ? {} : { path }), createTableMs: 0 });
const isIntact = path === undefined ? () => true : storeFiles(path);
let isLost = false;
const check = () => {
  if (!isLost && !isIntact()) {
    isLost = true;
    tell('lost');
  }
  return !isLost;
};
guardStore(server, accessKeyId, check);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const timer = setInterval(check, CHECK_MS);
parent.once('message', async () => {
  clearInterval(timer);
  // Idle keep-alive connections would keep the server open.
  server.closeAllConnections();
  await promisify(server.close.bind(server))();
});
tell({ endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
