import type { RequestListener, Server } from 'node:http';
import dynalite from 'dynalite';
import database, { type Store } from 'dynalite/db/index.js';
import putItem from 'dynalite/validations/putItem.js';
import updateItem from 'dynalite/validations/updateItem.js';
import { PlainError } from '../cli/plain-error.ts';

/** dynalite does not know this setting of a put or an update, and leaves out the item that the condition refused. */
const RETURNS = 'ReturnValuesOnConditionCheckFailure';

const { create, checkConditional } = database;
const { types: putTypes } = putItem;
const { types: updateTypes } = updateItem;

/** The members of dynalite that are replaced or added to: its modules call each other by them. It documents none. */
const MEMBERS = {
  'db.create': create,
  'db.checkConditional': checkConditional,
  'putItem.types': putTypes,
  'updateItem.types': updateTypes,
};
for (const [name, member] of Object.entries(MEMBERS))
  if (member === undefined)
    throw new PlainError(
      `The embedded store cannot be used: this version of dynalite has no ${name}, which local/patched-dynalite.ts patches.`,
    );

for (const types of [putTypes, updateTypes]) types[RETURNS] = { type: 'String', enum: ['ALL_OLD', 'NONE'] };

// Added where the item is compared, under dynalite's lock of its key, so no other operation comes between.
database.checkConditional = (put, item) => {
  const error = checkConditional(put, item);
  return error && put[RETURNS] === 'ALL_OLD'
    ? Object.assign(error, { body: { ...error.body, Item: item } })
    : error;
};

/** Makes a store, in memory unless a path is given. A table is ready as soon as it is created. */
export function makeStore(path: string | undefined): Store {
  const store = create({ ...(path === undefined ? {} : { path }), createTableMs: 0 });
  const values = store.db.values.bind(store.db);
  // At the end of a page, dynalite calls `return`, which LevelDB's iterators do not have. One that stays open keeps its memory.
  store.db.values = (range) => {
    const iterator = values(range);
    return Object.assign(iterator, { return: () => iterator.close() });
  };
  return store;
}

/**
 * Makes dynalite's server over an open store. It would make a store of its own, without waiting until it is open.
 * @returns the server without a listener for requests, and dynalite's
 */
export function makeServer(store: Store): { server: Server; respond: RequestListener } {
  database.create = () => store;
  const server = dynalite();
  database.create = create;
  const [respond] = server.listeners('request') as [RequestListener];
  server.removeAllListeners('request');
  return { server, respond };
}
