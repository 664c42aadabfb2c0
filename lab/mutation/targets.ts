/** Test files that are run together. */
export interface TestGroup {
  /** Patterns of the test files. */
  readonly files: readonly string[];
  /** Whether each test can run without those before it: then only those that run the mutated code are run. */
  readonly areIndependent?: true;
  /** Whether the tests start the commands in processes of their own, which takes seconds. */
  readonly startsProcesses?: true;
}

/** A part of the project that is broken, and the tests that must detect it. */
export interface Target {
  /** Patterns of the files that are broken. */
  readonly sources: readonly string[];
  /** Files of `sources` that are not broken; each with a reason. */
  readonly exceptions?: readonly string[];
  /** Each group is run against the mutants that the groups before it did not detect. */
  readonly tests: readonly TestGroup[];
  /** The names of tests that cannot detect a mutant contain this. */
  readonly skips?: string;
  /** The minimum share of detected mutants, in per cent; those judged in `judged.yaml` do not count. */
  readonly threshold: number;
  /** The starts of the paths of files whose mutants need our modules loaded again, even if they do not run on import. */
  readonly reloads?: readonly string[];
  /** Whether texts that only people read (descriptions, titles, labels, help) are left as they are. */
  readonly keepsLabels?: true;
}

/** The targets of `npm run lab -- mutation`, by name. Fuzzing would detect more mutants, but at random. */
export const TARGETS: Readonly<Record<string, Target>> = {
  client: {
    sources: ['client/src/**/*.ts'],
    // Not package.test.ts: it builds the package from the files.
    tests: [{ files: ['client/test/!(package|other-origin).test.ts'] }],
    threshold: 90,
  },
  verify: {
    sources: [
      'tools/verify/*.ts',
      'contract/{first-response,judge-response,openapi-schemas,placeholders,running-service,send-http}.ts',
      'tools/verify.ts',
    ],
    tests: [
      {
        files: [
          'tools/verify/verify-*.test.ts',
          'test/contract/{first-response,judge-response,send-http}.test.ts',
        ],
        areIndependent: true,
      },
      {
        files: ['tools/verify/verify.test.ts', 'tools/shared/terminal.test.ts'],
        areIndependent: true,
        startsProcesses: true,
      },
    ],
    threshold: 90,
    keepsLabels: true,
  },
  guard: {
    sources: ['tools/guard/**/*.ts', 'tools/guard.ts'],
    // Changes templates for the tests.
    exceptions: ['tools/guard/changed-templates.ts'],
    tests: [
      { files: ['tools/guard/losses.test.ts'] },
      { files: ['tools/guard/!(guard).test.ts'] },
      { files: ['tools/guard/guard.test.ts'], startsProcesses: true },
    ],
    threshold: 90,
    keepsLabels: true,
  },
  import: {
    sources: ['tools/import/**/*.ts', 'tools/import.ts'],
    tests: [
      // Without csv-rows, which compares thousands of texts.
      { files: ['tools/import/{records,run,sender}.test.ts'] },
      { files: ['tools/import/!(csv-rows|import).test.ts'] },
      { files: ['tools/import/import.test.ts'], startsProcesses: true },
      // Of an import in a terminal.
      { files: ['tools/shared/terminal.test.ts'], areIndependent: true, startsProcesses: true },
    ],
    threshold: 90,
    keepsLabels: true,
  },
  infra: {
    sources: ['infra/*.ts'],
    // Node runs them in processes whose environment the tests write in full, or from a copy of the folder; the tests of the
    // asset bundle the function.
    exceptions: ['infra/app.ts', 'infra/asset.ts', 'infra/bundle.ts', 'infra/lean-sdk.ts'],
    // Not app, archive, asset and cdk-nag: they bundle the function or take half a minute for each mutant.
    tests: [{ files: ['test/infra/!(app|archive|asset|cdk-nag).test.ts'] }],
    // They change templates, not the code.
    skips: 'no value can change without violating a policy',
    threshold: 90,
    // The tests synthesize each stage once per load.
    reloads: ['infra/'],
    keepsLabels: true,
  },
  lambda: {
    sources: ['lambda/**/*.ts'],
    tests: [
      { files: ['test/lambda/*/**/*.test.ts', 'test/lambda/{limits,environment}.test.ts'] },
      { files: ['test/lambda/*.test.ts', 'test/contract/{openapi,function}.test.ts'] },
    ],
    // It has no mutants: esbuild reads the sources.
    skips: 'the deployed bundle',
    threshold: 95,
    // Only its own test loads the entry point.
    reloads: ['lambda/handler.ts'],
  },
};
