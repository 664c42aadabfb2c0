import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { vi } from 'vitest';
import { DataFolder } from '../../local/data-folder.ts';
import { openStore } from '../../local/open-store.ts';
import { keepEnvironment } from './keep-environment.ts';

/**
 * Opens the store in a data folder, as the service and the tools do, and does something with it. Leaves the environment and
 * the umask of this process as they were, so tests that use it cannot be concurrent.
 * @returns what was printed on standard error
 * @throws PlainError if the store cannot be opened
 */
export async function withStore(
  data: string,
  work: (client: DynamoDBClient, folder: DataFolder) => Promise<unknown>,
): Promise<string> {
  const restoreEnvironment = keepEnvironment();
  delete process.env.AWS_ENDPOINT_URL_DYNAMODB;
  const print = vi.spyOn(console, 'error').mockReturnValue();
  try {
    const folder = new DataFolder(data);
    const store = await openStore(folder);
    const client = new DynamoDBClient();
    await work(client, folder).finally(() => {
      client.destroy();
      return store.close();
    });
    return print.mock.calls.join('\n');
  } finally {
    print.mockRestore();
    restoreEnvironment();
  }
}
