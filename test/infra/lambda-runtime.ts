/**
 * A process that runs a function's asset as the Lambda runtime for Node.js does: takes the handler by its name from
 * the asset's folder, prints what it logs in Lambda's JSON log format, and ends with the function's time-out.
 * Arguments: the folder, the handler setting, the time-out in milliseconds. Events come and answers go by messages.
 */
import { join } from 'node:path';
import process, { argv } from 'node:process';
import { format } from 'node:util';

const [folder = '', setting = '', timeout = ''] = argv.slice(2);
let requestId = 'init';

// JSON unless the object cannot be written as JSON; then, and with more than one argument, text.
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

process.on('message', async (event: { requestContext: { requestId: string } }) => {
  requestId = `lambda-${event.requestContext.requestId}`;
  const deadline = Date.now() + Number(timeout);
  const timer = setTimeout(() => process.exit(1), Number(timeout));
  const context = { awsRequestId: requestId, getRemainingTimeInMillis: () => deadline - Date.now() };
  const answer = await handler(event, context);
  clearTimeout(timer);
  process.send?.(answer);
});
process.send?.('ready');
