import { readFileSync } from 'node:fs';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { MORE_MUTATORS, type Mutator } from './more-mutators.ts';
import type { Mutant } from './plan.ts';

/** Stryker's list of mutators, which its package does not export. */
const MUTATORS = './node_modules/@stryker-mutator/instrumenter/dist/src/mutators/mutate.js';

const AS_CONST = ' as const';

const log = () => undefined;
const LOGGER = { isDebugEnabled: () => false, debug: log, info: log, warn: log, error: log };

/**
 * Creates every mutant of some files.
 * @param files paths relative to the project folder
 * @returns the mutants, and the code of each file with all of its mutants behind a switch
 */
export async function makeMutants(
  files: readonly string[],
): Promise<{ mutants: Mutant[]; code: Record<string, string> }> {
  const { allMutators } = (await import(MUTATORS)) as { allMutators: Mutator[] };
  allMutators.push(...MORE_MUTATORS);
  const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
  const instrumented = await new Instrumenter(LOGGER).instrument(
    // Stryker skips `as const` objects, such as the error table. The spaces keep the positions.
    files.map((name) => ({
      name,
      mutate: true,
      content: (texts.get(name) ?? '').replaceAll(AS_CONST, ' '.repeat(AS_CONST.length)),
    })),
    { plugins: null, ignorers: [], excludedMutations: [] },
  );
  const mutants = instrumented.mutants.map(({ id, fileName, mutatorName, replacement, location }) => ({
    id,
    file: fileName,
    line: location.start.line + 1,
    kind: mutatorName,
    original: textAt(texts.get(fileName) ?? '', location),
    replacement,
  }));
  const code = Object.fromEntries(instrumented.files.map(({ name, content }) => [name, content]));
  return { mutants, code };
}

interface Position {
  readonly line: number;
  readonly column: number;
}

function textAt(text: string, { start, end }: { start: Position; end: Position }): string {
  const lines = text.split('\n').slice(start.line, end.line + 1);
  const last = lines.length - 1;
  return lines
    .map((line, index) =>
      line.slice(index === 0 ? start.column : 0, index === last ? end.column : undefined).trim(),
    )
    .join(' ');
}
