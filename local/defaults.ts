import path from 'node:path';

/** Where the local service keeps its plants and tokens: a folder that git ignores. */
export const DEFAULT_DATA_FOLDER = '.plant-store';

/** The command that starts the service with a data folder. */
export function startCommand(data: string): string {
  const isDefault = path.resolve(data) === path.resolve(DEFAULT_DATA_FOLDER);
  return isDefault ? 'npm start' : `npm start -- --data '${data}'`;
}

/** The address on which the local service listens: only this machine reaches it. */
export const DEFAULT_HOST = '127.0.0.1';

/** Its port. */
export const DEFAULT_PORT = 3000;
