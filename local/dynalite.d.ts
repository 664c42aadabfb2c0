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

  /** The functions of the module, which its other modules call as members of this object. */
  const module: {
    /** Opens a store that behaves like DynamoDB; in memory unless a path is given. */
    create(options: { path?: string; createTableMs?: number }): Store;
    /** @returns DynamoDB's response, unless the condition of an operation holds */
    checkConditional: (
      data: Input,
      item: object | undefined,
    ) => (Error & { body: object }) | null | undefined;
  };
  export default module;
}

declare module 'dynalite/validations/index.js' {
  /** Both throw an error with a `statusCode` if the input is not valid. */
  export function checkTypes(input: object, types: object): object;
  export function checkValidations(data: object, types: object, custom: unknown, store: object): void;
}
