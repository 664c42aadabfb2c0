/** The part of Stryker's instrumenter used here. Declared, because this folder's packages are installed on first use. */
declare module '@stryker-mutator/instrumenter' {
  interface Position {
    readonly line: number;
    readonly column: number;
  }
  export class Instrumenter {
    constructor(logger: object);
    instrument(
      files: readonly { name: string; mutate: boolean; content: string }[],
      options: { plugins: null; ignorers: []; excludedMutations: readonly string[] },
    ): Promise<{
      readonly files: readonly { readonly name: string; readonly content: string }[];
      readonly mutants: readonly {
        readonly id: string;
        readonly fileName: string;
        readonly mutatorName: string;
        readonly replacement: string;
        readonly location: { readonly start: Position; readonly end: Position };
      }[];
    }>;
  }
}
