/**
 * A process that runs the bundled function like the Lambda runtime for Node.js, with logs in Lambda's JSON format.
 * Argument: {@link Settings} as JSON. Events and answers are messages. Only messages advance its clock, so that no answer
 * depends on the machine's speed. It exits after the function's timeout.
 */
import { createRequire } from 'node:module';
import process, { argv } from 'node:process';
import { format } from 'node:util';
import { Clock } from './clock.ts';

export interface Settings {
  readonly file: string;
  /** The name of the exported handler. */
  readonly name: string;
  readonly timeoutMs: number;
}

type Message = { advance: number } | { requestContext: { requestId: string } };

const { file, name, timeoutMs }: Settings = JSON.parse(argv[2] ?? '');
const require = createRequire(import.meta.url);
const clock = new Clock();
let requestId = 'init';

// JSON; text if the object cannot be serialised, or if there is more than one argument.
function wrapped(level: string, values: unknown[]): string {
  const line = { timestamp: new Date().toISOString(), level, requestId };
  try {
    if (values.length === 1) return JSON.stringify({ ...line, message: values[0] });
  } catch {
    // A bigint or a cycle.
  }
  return JSON.stringify({ ...line, message: format(...values) });
}

for (const [method, level] of Object.entries({ info: 'INFO', log: 'INFO', warn: 'WARN', error: 'ERROR' })) {
  const print = (...values: unknown[]) => process.stdout.write(`${wrapped(level, values)}\n`);
  Object.assign(console, { [method]: print });
}

const { setTimeout, clearTimeout } = clock;
for (const timers of [globalThis, require('node:timers')])
  Object.assign(timers, { setTimeout, clearTimeout });
require('node:timers/promises').setTimeout = clock.pause;
const handler = require(file)[name];
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
