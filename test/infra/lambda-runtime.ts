/**
 * A process that runs a function's asset like the Lambda runtime for Node.js: it loads the handler by its name from
 * the asset's folder, prints logs in Lambda's JSON format, and exits after the function's time-out.
 * Arguments: the folder, the handler setting, the time-out in milliseconds. Events and answers are messages.
 * Only messages advance its clock, so that no answer depends on the machine's speed.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process, { argv } from 'node:process';
import { format } from 'node:util';
import { Clock } from '../support/clock.ts';

const [folder = '', setting = '', timeout = ''] = argv.slice(2);
let requestId = 'init';

const clock = new Clock();
const { setTimeout, clearTimeout } = clock;
const require = createRequire(import.meta.url);
for (const timers of [globalThis, require('node:timers')])
  Object.assign(timers, { setTimeout, clearTimeout });
require('node:timers/promises').setTimeout = clock.pause;

// JSON; text if the object cannot be serialized, or if there is more than one argument.
function wrapped(level: string, [first, ...others]: unknown[]): string {
  const line = { timestamp: new Date().toISOString(), level, requestId };
  if (others.length > 0) return JSON.stringify({ ...line, message: format(first, ...others) });
  try {
    return JSON.stringify({ ...line, message: first });
  } catch {
    return JSON.stringify({ ...line, message: format(first) });
  }
}

const print =
  (level: string) =>
  (...values: unknown[]) =>
    void process.stdout.write(`${wrapped(level, values)}\n`);
Object.assign(console, {
  info: print('INFO'),
  log: print('INFO'),
  warn: print('WARN'),
  error: print('ERROR'),
});

const [file, name] = setting.split('.');
const module = await import(join(folder, `${file}.cjs`));
const handler: (event: unknown, context: unknown) => Promise<unknown> = module[name ?? ''];

type Message = { advance: number } | { requestContext: { requestId: string } };

process.on('message', async (event: Message) => {
  if ('advance' in event) return clock.advance(event.advance);
  requestId = `lambda-${event.requestContext.requestId}`;
  const deadline = clock.now + Number(timeout);
  const timer = setTimeout(() => process.exit(1), Number(timeout));
  const context = { awsRequestId: requestId, getRemainingTimeInMillis: () => deadline - clock.now };
  const answer = await handler(event, context);
  clearTimeout(timer);
  process.send?.(answer);
});
process.send?.('ready');
