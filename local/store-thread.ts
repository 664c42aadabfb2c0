/** The thread of an embedded store: it starts dynalite, and tells the other side how to reach it. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { startDynalite } from './dynalite-server.ts';

const parent = parentPort as MessagePort;
const { close, ...address } = await startDynalite(workerData);
parent.postMessage(address);
parent.once('message', () => void close());
