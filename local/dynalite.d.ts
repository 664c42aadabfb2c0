declare module 'dynalite/db/index.js' {
  export type Input = Readonly<Record<string, unknown>>;

  interface Store {
    /** LevelDB, or a store in memory with the same methods. */
    readonly db: {
      open(): Promise<void>;
      close(): Promise<void>;
      put(key: string, value: object): Promise<void>;
      del(key: string): Promise<void>;
      iterator(range: object): AsyncIterable<[key: string, table: { readonly TableStatus?: string }]>;
    };
  }

  /** An operation. An error with a `statusCode` is DynamoDB's response, and any other one is of the files. */
  export type Action = (
    store: Store,
    data: object,
    callback: (error: Error | null, output: object) => void,
  ) => void;

  /** Opens a store that behaves like DynamoDB; in memory unless a path is given. */
  export function create(options: { path?: string; createTableMs?: number }): Store;

  /** @returns an error unless the condition holds, which `validateExpressions` must have read */
  export function checkConditional(put: object, item: object | undefined): Error | null | undefined;
}

declare module 'dynalite/validations/index.js' {
  /** Both throw an error with a `statusCode` if the input is not valid. */
  export function checkTypes(input: object, types: object): object;
  export function checkValidations(data: object, types: object, custom: unknown, store: object): void;

  /** Reads the expressions of a call, and keeps them in it. @returns what is wrong with them, if anything */
  export function validateExpressions(call: object): string | undefined;
}
