/** The thread that `startThreadedStore` starts: it opens an embedded store, and tells the other side how to reach it. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { startEmbeddedStore } from './embedded-store.ts';

const parent = parentPort as MessagePort;
const { lost, close, ...address } = await startEmbeddedStore(workerData);
parent.postMessage(address);
void lost.then((reason) => parent.postMessage(reason));
parent.once('message', () => void close());
