/** The thread that `startThreadedStore` starts: it opens an embedded store, and tells the other side how to reach it. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { startEmbeddedStore } from './embedded-store.ts';
import { storeFiles } from './store-files.ts';

const { path } = workerData as { path: string | undefined };
const place = path === undefined ? {} : { path, isIntact: storeFiles(path) };
const parent = parentPort as MessagePort;
try {
  const store = await startEmbeddedStore(place);
  parent.postMessage({ endpoint: store.endpoint, accessKeyId: store.accessKeyId });
  void store.lost.then((reason) => parent.postMessage({ reason }));
  parent.once('message', () => void store.close());
} catch (error) {
  const { message, code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  // An error loses its code on the way to another thread.
  parent.postMessage({ problem: { message, code } });
}
