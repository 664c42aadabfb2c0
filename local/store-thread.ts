/** The thread that `startThreadedStore` starts: it opens an embedded store, and tells the other side how to reach it. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { startEmbeddedStore } from './embedded-store.ts';
import { storeFiles } from './store-files.ts';

const { path } = workerData as { path: string | undefined };
const place = path === undefined ? {} : { path, isIntact: storeFiles(path) };
const store = await startEmbeddedStore(place);
const parent = parentPort as MessagePort;
parent.postMessage({ endpoint: store.endpoint, accessKeyId: store.accessKeyId });
void store.lost.then((reason) => parent.postMessage({ reason }));
parent.once('message', () => void store.close());
