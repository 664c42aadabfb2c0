import { createRequire } from 'node:module';
import dynalite, { type Action, type Input } from 'dynalite/db/index.js';
import { checkTypes, checkValidations } from 'dynalite/validations/index.js';
import { StoreFailure } from './store-files.ts';

/** The operations of DynamoDB that the service, its tools and its tests call. */
const OPERATIONS = [
  'CreateTable',
  'DescribeTable',
  'ListTables',
  'GetItem',
  'PutItem',
  'DeleteItem',
  'Scan',
] as const;

/** The keys of LevelDB under which dynalite keeps its tables. */
const TABLES = { gte: 'table~', lt: 'table\u007f' };

/** dynalite does not know this setting of a put, and leaves out the item that the condition refused. */
const RETURNS = 'ReturnValuesOnConditionCheckFailure';

const { checkConditional } = dynalite;
// Added where the item is compared, under dynalite's lock of its key, so no other operation comes between.
dynalite.checkConditional = (put, item) => {
  const error = checkConditional(put, item);
  return error && put[RETURNS] === 'ALL_OLD'
    ? Object.assign(error, { body: { ...error.body, Item: item } })
    : error;
};

/** What DynamoDB returns. */
interface StoreResponse {
  readonly status: number;
  readonly body: object;
}

/** dynalite without its HTTP server, which ends the process at an error of its files. */
export interface DynaliteStore {
  /** @throws StoreFailure; any other error is a bug of dynalite */
  run(operation: string, input: Input): Promise<StoreResponse>;
  close(): Promise<void>;
}

/**
 * Opens dynalite's store.
 * @param path the folder of its files; in memory without it
 * @throws what LevelDB throws, with its code in `cause`
 */
export async function openDynalite(path: string | undefined): Promise<DynaliteStore> {
  const store = dynalite.create({ ...(path === undefined ? {} : { path }), createTableMs: 0 });
  await store.db.open();
  // A process that ended while it made a table left it so. No item can be in it, because it refuses them.
  for await (const [key, table] of store.db.iterator(TABLES))
    if (table.TableStatus !== 'ACTIVE') await store.db.del(key);
  const actions = new Map(OPERATIONS.map((operation) => [operation as string, actionOf(operation)]));
  return {
    run: (operation, input) => {
      const action = actions.get(operation);
      if (!action) return Promise.resolve({ status: 400, body: UNKNOWN_OPERATION });
      return new Promise<object>((resolve, reject) => {
        const data = checkTypes(input, action.types);
        checkValidations(data, action.types, action.custom, store);
        action.act(store, data, (error, output) => {
          if (!error) resolve(output);
          else reject('statusCode' in error ? error : new StoreFailure(error));
        });
      }).then(
        (body) => ({ status: 200, body }),
        (error: Error & { statusCode?: number; body?: object }) => {
          if (error.statusCode === undefined) throw error;
          return { status: error.statusCode, body: error.body ?? {} };
        },
      );
    },
    close: () => store.db.close(),
  };
}

/** Whether a process has a store open. */
export async function isLocked(path: string): Promise<boolean> {
  const { db } = dynalite.create({ path });
  const code = await db.open().then(
    () => undefined,
    ({ cause }: { cause?: NodeJS.ErrnoException }) => cause?.code,
  );
  if (code === undefined) await db.close();
  return code === 'LEVEL_LOCKED';
}

const UNKNOWN_OPERATION = { __type: 'com.amazon.coral.service#UnknownOperationException' };

function actionOf(operation: (typeof OPERATIONS)[number]) {
  const require = createRequire(import.meta.url);
  const name = operation[0]?.toLowerCase() + operation.slice(1);
  const { types, custom } = require(`dynalite/validations/${name}.js`);
  if (operation === 'PutItem') types[RETURNS] = { type: 'String', enum: ['ALL_OLD', 'NONE'] };
  return { types, custom, act: require(`dynalite/actions/${name}.js`) as Action };
}
