/**
 * A process that loads the asset as Lambda does, serves events and prints an {@link Observation}. Arguments: the file that
 * Lambda loads, and the events as JSON. It exits when nothing keeps it alive. It exchanges no messages, because an IPC channel would load more
 * built-in modules.
 */
import fs from 'node:fs';
import process from 'node:process';

/** What was observed while the process served the events. */
export interface Observation {
  readonly statuses: readonly number[];
  /** What it logged. */
  readonly lines: readonly unknown[];
  /** Built-in modules that were loaded only for the function. */
  readonly loaded: readonly string[];
  readonly filesRead: readonly string[];
  /** The resources that keep the process alive. */
  readonly pending: readonly string[];
}

const [file = '', events = ''] = process.argv.slice(2);
const filesRead: string[] = [];
// Code that reads a configuration file calls one of these.
for (const owner of [fs, fs.promises] as unknown as Record<string, (...values: unknown[]) => unknown>[]) {
  for (const method of ['readFile', 'readFileSync', 'open', 'openSync']) {
    const original = owner[method];
    if (original === undefined) continue;
    owner[method] = (path, ...rest) => {
      filesRead.push(String(path));
      return original.call(owner, path, ...rest);
    };
  }
}
// Writing to standard output would load modules.
const lines: unknown[] = [];
console.info = (line) => void lines.push(line);
const builtIns = () => (process as unknown as { moduleLoadList: string[] }).moduleLoadList;
const loadedBefore = new Set(builtIns());
const { handler } = await import(file);
const statuses: number[] = [];
for (const event of JSON.parse(events))
  statuses.push((await handler(event, { getRemainingTimeInMillis: () => 6_000 })).statusCode);
const loaded = builtIns().filter((each) => each.startsWith('NativeModule ') && !loadedBefore.has(each));
const pending = process.getActiveResourcesInfo();
process.stdout.write(JSON.stringify({ statuses, lines, loaded, filesRead, pending } satisfies Observation));
