import { ENVIRONMENT } from '../lambda/environment.ts';
import { PlainError } from '../terminal/plain-error.ts';
import { DataFolder } from './data-folder.ts';
import { DEFAULT_DATA_FOLDER } from './defaults.ts';
import { openStore } from './open-store.ts';

/**
 * Does something with the store of this machine: that at `AWS_ENDPOINT_URL_DYNAMODB`, or else that of a data folder, also
 * while `npm start` has it open. Clients made by `work` use that store.
 * @throws PlainError if there is no data folder; a mistyped name must not create one
 */
export async function withLocalStore<Result>(
  data: string = DEFAULT_DATA_FOLDER,
  work: () => Promise<Result>,
): Promise<Result> {
  const isElsewhere = Boolean(process.env[ENVIRONMENT.endpoint]);
  if (!isElsewhere && !DataFolder.exists(data))
    throw new PlainError(`There is no data folder ${data}; npm start creates one, --data selects another.`);
  const store = await openStore({ folder: isElsewhere ? undefined : new DataFolder(data), join: true });
  try {
    return await work();
  } finally {
    await store.close();
  }
}
