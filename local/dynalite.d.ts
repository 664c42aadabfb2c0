declare module 'dynalite' {
  /** Makes a server that behaves like DynamoDB; closing it closes the store. */
  export default function dynalite(options?: { createTableMs: number }): import('node:http').Server;
}

declare module 'dynalite/db/index.js' {
  export interface Store {
    /** LevelDB, or a store in memory with the same methods. */
    readonly db: {
      open(options?: { createIfMissing: boolean }): Promise<void>;
      close(): Promise<void>;
      put(key: string, value: object): Promise<void>;
      del(key: string): Promise<void>;
      iterator(range: object): AsyncIterable<[key: string, table: { readonly TableStatus?: string }]>;
      values(range: object): { next(): Promise<unknown>; close(): Promise<void> };
    };
  }

  /** The functions of the module, which its other modules call as members of this object. */
  const module: {
    /** Makes a store, in memory unless a path is given. */
    create: (options: { path?: string; createTableMs?: number }) => Store;
    /** @returns DynamoDB's response, unless the condition of an operation holds */
    checkConditional: (
      data: Readonly<Record<string, unknown>>,
      item: object | undefined,
    ) => (Error & { body: object }) | null | undefined;
  };
  export default module;
}

declare module 'dynalite/validations/putItem.js' {
  const module: { readonly types: Record<string, object> };
  export default module;
}

declare module 'dynalite/validations/updateItem.js' {
  const module: { readonly types: Record<string, object> };
  export default module;
}
