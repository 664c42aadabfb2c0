import { readFileSync } from 'node:fs';
import { LABEL_IGNORER, MORE_MUTATORS, type Mutator } from './more-mutators.ts';
import type { Mutant } from './plan.ts';

// Variables, because this folder's packages are installed on first use only: the type check must not look for them.
const INSTRUMENTER: string = '@stryker-mutator/instrumenter';
/** Stryker's list of mutators, which its package does not export. */
const MUTATORS: string = './node_modules/@stryker-mutator/instrumenter/dist/src/mutators/mutate.js';

interface Position {
  readonly line: number;
  readonly column: number;
}

/** The part of Stryker's instrumenter used here. */
interface Instrumenter {
  instrument(
    files: readonly { name: string; mutate: boolean; content: string }[],
    options: { plugins: null; ignorers: readonly object[]; excludedMutations: readonly string[] },
  ): Promise<{
    readonly files: readonly { readonly name: string; readonly content: string }[];
    readonly mutants: readonly {
      readonly id: string;
      readonly fileName: string;
      readonly mutatorName: string;
      readonly replacement: string;
      readonly status?: string;
      readonly location: { readonly start: Position; readonly end: Position };
    }[];
  }>;
}

const AS_CONST = ' as const';

const log = () => undefined;
const LOGGER = { isDebugEnabled: () => false, debug: log, info: log, warn: log, error: log };

/**
 * Creates every mutant of some files.
 * @param files paths relative to the project folder
 * @param keepsLabels whether texts that only people read are left as they are
 * @returns the mutants, and the code of each file with all of its mutants behind a switch
 */
export async function makeMutants(
  files: readonly string[],
  keepsLabels: boolean,
): Promise<{ mutants: Mutant[]; code: Record<string, string> }> {
  const { Instrumenter } = (await import(INSTRUMENTER)) as {
    Instrumenter: new (logger: object) => Instrumenter;
  };
  const { allMutators } = (await import(MUTATORS)) as { allMutators: Mutator[] };
  allMutators.push(...MORE_MUTATORS.filter((mutator) => !allMutators.includes(mutator)));
  const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
  // Stryker skips `as const` objects, such as the error table. The spaces keep the positions.
  const inFull = (text: string) => text.replaceAll(AS_CONST, ' '.repeat(AS_CONST.length));
  const instrumented = await new Instrumenter(LOGGER).instrument(
    [...texts].map(([name, text]) => ({ name, mutate: true, content: inFull(text) })),
    { plugins: null, ignorers: keepsLabels ? [LABEL_IGNORER] : [], excludedMutations: [] },
  );
  const made = instrumented.mutants.filter(({ status }) => status !== 'Ignored');
  const mutants = made.map(({ id, fileName, mutatorName, replacement, location: { start, end } }): Mutant => {
    const text = texts.get(fileName) ?? '';
    const code = text.split('\n')[start.line]?.trim() ?? '';
    const original = text.slice(offset(text, start), offset(text, end));
    return { id, file: fileName, line: start.line + 1, code, kind: mutatorName, original, replacement };
  });
  const code = Object.fromEntries(instrumented.files.map(({ name, content }) => [name, content]));
  return { mutants, code };
}

function offset(text: string, { line, column }: Position): number {
  const before = text.split('\n').slice(0, line);
  return before.reduce((sum, each) => sum + each.length + 1, column);
}
