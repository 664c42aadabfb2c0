import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { vi } from 'vitest';
import { DataFolder } from '../../local/data-folder.ts';
import { openStore } from '../../local/open-store.ts';

/**
 * Opens the store in a data folder, as the service and the tools do, and does something with it. Leaves the umask of this process
 * as it was, so tests that use it cannot be concurrent.
 * @returns what was printed on standard error
 * @throws PlainError if the store cannot be opened
 */
export async function withStore(
  data: string,
  work: (client: DynamoDBClient, folder: DataFolder, settings: DynamoDBClientConfig) => Promise<unknown>,
): Promise<string> {
  const umask = process.umask();
  const print = vi.spyOn(console, 'error').mockReturnValue();
  try {
    const folder = new DataFolder(data);
    const store = await openStore(folder, {});
    const client = new DynamoDBClient(store.settings);
    await work(client, folder, store.settings).finally(() => {
      client.destroy();
      return store.close();
    });
    return print.mock.calls.join('\n');
  } finally {
    print.mockRestore();
    process.umask(umask);
  }
}
