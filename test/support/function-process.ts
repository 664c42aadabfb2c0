/**
 * A process that runs the bundled function like the Lambda runtime for Node.js, with logs in Lambda's JSON format.
 * Argument: {@link Settings} as JSON.
 *
 * With `events`, it serves them and exits when nothing keeps it alive; its last line is an {@link Observation}. It does not
 * use messages, because an IPC channel would load more built-in modules. Without `events`, events and answers are
 * messages. Then only messages advance its clock, so that no answer depends on the machine's speed, and it exits after
 * the function's time-out.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import process, { argv } from 'node:process';
import type { APIGatewayProxyEvent } from 'aws-lambda';

export interface Settings {
  readonly file: string;
  /** The name of the exported handler. */
  readonly name: string;
  readonly timeoutMs: number;
  readonly events?: readonly object[];
}

/** What the process has seen while it served events. */
export interface Observation {
  readonly statuses: number[];
  /** Built-in modules that were loaded only for the function. */
  readonly loaded: string[];
  readonly filesRead: string[];
  /** The resources that keep the process alive. */
  readonly pending: string[];
  /** Log lines. */
  readonly lines: string[];
}

const { file, name, timeoutMs, events }: Settings = JSON.parse(argv[2] ?? '');
const require = createRequire(import.meta.url);
const lines: string[] = [];
let requestId = 'init';

// JSON; text if the object cannot be serialized, or if there is more than one argument.
function wrapped(level: string, [first, ...others]: unknown[]): string {
  const line = { timestamp: new Date().toISOString(), level, requestId };
  try {
    if (others.length === 0) return JSON.stringify({ ...line, message: first });
  } catch {
    // A bigint or a cycle.
  }
  return JSON.stringify({ ...line, message: require('node:util').format(first, ...others) });
}

for (const [method, level] of Object.entries({ info: 'INFO', log: 'INFO', warn: 'WARN', error: 'ERROR' })) {
  const print = (...values: unknown[]) => {
    // To use standard output would load modules.
    if (events) lines.push(wrapped(level, values));
    else process.stdout.write(`${wrapped(level, values)}\n`);
  };
  Object.assign(console, { [method]: print });
}

type Handler = (event: unknown, context: unknown) => Promise<{ statusCode: number }>;
if (events) await serve(events);
else await serveMessages();

async function serve(all: readonly object[]): Promise<void> {
  const filesRead = recordFilesRead();
  const builtIns = () => (process as unknown as { moduleLoadList: string[] }).moduleLoadList;
  const loadedBefore = new Set(builtIns());
  const handler: Handler = require(file)[name];
  const statuses: number[] = [];
  let loaded: string[] = [];
  for (const event of all) {
    requestId = (event as Partial<APIGatewayProxyEvent>).requestContext?.requestId ?? 'unknown';
    statuses.push((await handler(event, { getRemainingTimeInMillis: () => timeoutMs })).statusCode);
    // Later answers must not load anything either, so the last list counts.
    loaded = builtIns().filter((each) => each.startsWith('NativeModule ') && !loadedBefore.has(each));
  }
  const pending = process.getActiveResourcesInfo();
  process.stdout.write(JSON.stringify({ statuses, loaded, filesRead, pending, lines } satisfies Observation));
}

/** Code that reads a configuration file calls one of these. */
function recordFilesRead(): string[] {
  const filesRead: string[] = [];
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
  return filesRead;
}

type Message = { advance: number } | { requestContext: { requestId: string } };

async function serveMessages(): Promise<void> {
  const { Clock } = await import('./clock.ts');
  const clock = new Clock();
  const { setTimeout, clearTimeout } = clock;
  for (const timers of [globalThis, require('node:timers')])
    Object.assign(timers, { setTimeout, clearTimeout });
  require('node:timers/promises').setTimeout = clock.pause;
  const handler: Handler = require(file)[name];
  process.on('message', async (event: Message) => {
    if ('advance' in event) return clock.advance(event.advance);
    requestId = `lambda-${event.requestContext.requestId}`;
    const deadline = clock.now + timeoutMs;
    const timer = setTimeout(() => process.exit(1), timeoutMs);
    const context = { awsRequestId: requestId, getRemainingTimeInMillis: () => deadline - clock.now };
    const answer = await handler(event, context);
    clearTimeout(timer);
    process.send?.(answer);
  });
  process.send?.('ready');
}
