import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import dynalite from 'dynalite';

/** A DynamoDB that runs in this process. */
export interface EmbeddedStore {
  /** Its address, on the loopback interface only. */
  readonly endpoint: string;
  close(): Promise<void>;
}

/**
 * Starts dynalite in this process. An item that was acknowledged outlives `kill -9`: LevelDB hands each write to the
 * operating system before it answers.
 * @param options.path the folder that keeps the items; in memory without it
 */
export async function startEmbeddedStore(options: { path?: string } = {}): Promise<EmbeddedStore> {
  const server = dynalite({ ...options, createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    close: async () => {
      // Idle keep-alive connections would hold the server open.
      server.closeAllConnections();
      await promisify(server.close.bind(server))();
    },
  };
}
