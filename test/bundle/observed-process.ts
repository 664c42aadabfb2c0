/**
 * A process that loads the asset as Lambda does, serves events and prints an {@link Observation}. Arguments: the file that
 * Lambda loads, and the events as JSON. It exits when nothing keeps it alive. It exchanges no messages, because an IPC channel would load more
 * built-in modules.
 */
import process from 'node:process';

/** What was observed while the process served the events. */
export interface Observation {
  readonly statuses: readonly number[];
  /** What it logged. */
  readonly lines: readonly unknown[];
  /** Built-in modules that were loaded only for the function. */
  readonly loaded: readonly string[];
  /** The resources that keep the process alive. */
  readonly pending: readonly string[];
}

const [file = '', events = ''] = process.argv.slice(2);
// Writing to standard output would load modules.
const lines: unknown[] = [];
console.info = (line) => void lines.push(line);
console.error = console.info;
const builtIns = () => (process as unknown as { moduleLoadList: string[] }).moduleLoadList;
const loadedBefore = new Set(builtIns());
const { handler } = await import(file);
const statuses: number[] = [];
for (const event of JSON.parse(events))
  statuses.push((await handler(event, { getRemainingTimeInMillis: () => 6_000 })).statusCode);
const loaded = builtIns().filter((each) => each.startsWith('NativeModule ') && !loadedBefore.has(each));
const pending = process.getActiveResourcesInfo();
process.stdout.write(JSON.stringify({ statuses, lines, loaded, pending } satisfies Observation));
