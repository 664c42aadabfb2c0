import { isNode, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { PlainError } from '../../cli/plain-error.ts';

/** The files of a repository or a copy, by path. */
export type Tree = ReadonlyMap<string, string>;

export type Json = z.infer<ReturnType<typeof z.json>>;
export type JsonObject = { [key: string]: Json };

/** One thing that a manifest changes, and the line that says so. */
export type Rule = { readonly line: number; readonly file: string } & (
  | { readonly kind: 'file' }
  | { readonly kind: 'lines'; readonly list: string; readonly text: string }
  | { readonly kind: 'imports'; readonly text: string }
  | { readonly kind: 'json'; readonly value: JsonObject }
  | { readonly kind: 'merge' | 'patch'; readonly source: string }
);

/** A part of the house, or an operation that is not in it (README.md of this folder). */
export interface Manifest {
  readonly name: string;
  readonly file: string;
  readonly about: string;
  readonly needs: readonly string[];
  /** Its place among the operations: the result does not depend on which is added first. */
  readonly order: number;
  readonly isOperation: boolean;
  /** The names that no property of the model may have. */
  readonly reserves: readonly string[];
  readonly rules: readonly Rule[];
}

const OF_BOTH = {
  about: z.string(),
  needs: z.array(z.string()).default([]),
  lines: z
    .record(
      z.string(),
      z.array(
        z.union([
          z.strictObject({ list: z.string(), lines: z.string() }),
          z.strictObject({ imports: z.string() }),
        ]),
      ),
    )
    .default({}),
  json: z.record(z.string(), z.record(z.string(), z.json())).default({}),
};
const PART = z.strictObject({ ...OF_BOTH, files: z.array(z.string()).default([]) });
const OPERATION = z.strictObject({
  ...OF_BOTH,
  order: z.number().default(0),
  reserves: z.array(z.string()).default([]),
  merge: z.record(z.string(), z.string()).default({}),
  patch: z.string().optional(),
});

/** The name of a part or an operation by the path of its manifest, or undefined if it is the path of none. */
export function nameIn(file: string): { name: string; isOperation: boolean } | undefined {
  const [, part, operation] =
    file.match(/^(?:\.ci\/copy\/parts\/([^/]+)\.yaml|operations\/([^/]+)\/manifest\.yaml)$/) ?? [];
  const name = part ?? operation;
  return name === undefined ? undefined : { name, isOperation: part === undefined };
}

/** @throws PlainError that names the line of a key that is unknown or missing, or of a value of another type */
export function readManifest(file: string, text: string): Manifest {
  const { name, isOperation } = nameIn(file) ?? { name: file, isOperation: false };
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const lineOf = (...keys: PropertyKey[]) => {
    const node = document.getIn(keys, true);
    return lineCounter.linePos((isNode(node) && node.range?.[0]) || 0).line;
  };
  const [error] = document.errors;
  if (error) throw new PlainError(`${file}:${lineCounter.linePos(error.pos[0]).line}: ${error.message}`);
  const { success, error: problem, data } = (isOperation ? OPERATION : PART).safeParse(document.toJS());
  if (!success) {
    const [issue] = problem.issues;
    throw new PlainError(
      `${file}:${lineOf(...(issue?.path ?? []))}: ${issue?.path.join('.')}: ${issue?.message}`,
    );
  }
  const rules: Rule[] = [];
  for (const [n, path] of ('files' in data ? data.files : []).entries())
    rules.push({ kind: 'file', file: path, line: lineOf('files', n) });
  for (const [path, entries] of Object.entries(data.lines))
    for (const [n, entry] of entries.entries()) {
      const at = { file: path, line: lineOf('lines', path, n) };
      if ('imports' in entry) rules.push({ kind: 'imports', text: entry.imports, ...at });
      else rules.push({ kind: 'lines', list: entry.list.trim(), text: entry.lines, ...at });
    }
  for (const [path, value] of Object.entries(data.json))
    for (const leaf of leavesOf(value))
      rules.push({ kind: 'json', file: path, value: leaf, line: lineOf('json', path) });
  if ('merge' in data) {
    const folder = file.replace(/[^/]*$/, '');
    for (const [path, source] of Object.entries(data.merge))
      rules.push({ kind: 'merge', file: path, source: folder + source, line: lineOf('merge', path) });
    if (data.patch)
      rules.push({ kind: 'patch', file: '', source: folder + data.patch, line: lineOf('patch') });
  }
  const order = 'order' in data ? data.order : 0;
  const reserves = 'reserves' in data ? data.reserves : [];
  return { name, file, about: data.about, needs: data.needs, order, isOperation, reserves, rules };
}

/** A rule for each value, because two parts may have some in common. */
function leavesOf(object: JsonObject): JsonObject[] {
  return Object.entries(object).flatMap(([key, value]): JsonObject[] => {
    if (Array.isArray(value)) return value.map((each) => ({ [key]: [each] }));
    const isLeaf = typeof value !== 'object' || value === null || Object.keys(value).length === 0;
    return isLeaf ? [{ [key]: value }] : leavesOf(value as JsonObject).map((each) => ({ [key]: each }));
  });
}
