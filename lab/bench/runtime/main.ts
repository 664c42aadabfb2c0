/**
 * Runs a bundle like the Lambda runtime for Node.js 24 (AWS's runtime interface client 4.0.2), in the same order and
 * after loading the same built-in modules by `require`: it replaces the console, loads the bundle with `import()`
 * whatever its format, parses an event, calls the handler and serializes its response. Arguments: the bundle, the stub's
 * port and certificate, the factor for timers, and the steps as JSON. The report goes to a pipe.
 */
import { createRequire } from 'node:module';
import { type Kind, proxyEvent } from './events.ts';
import { connectToStub, stretchTimers } from './network.ts';

const require = createRequire(import.meta.url);
const { existsSync, writeSync } = require('node:fs') as typeof import('node:fs');
const { resolve } = require('node:path') as typeof import('node:path');
for (const name of ['net', 'http', 'os', 'util', 'worker_threads']) require(`node:${name}`);

/** A kind of request, and how often to send it. */
export interface Step {
  readonly kind: Kind;
  readonly count: number;
}

/** The cost of one step: milliseconds of CPU per request, and the last response. */
interface StepReport {
  readonly kind: Kind;
  readonly cpu: number;
  readonly status: number;
  readonly body: string;
  readonly peakKilobytes: number;
}

/** The report of a process. */
export interface Report {
  readonly first: { statusCode: number; body: string };
  /** Milliseconds of CPU, of all threads, from the start of the process to the first response. */
  readonly cpu: number;
  readonly steps: StepReport[];
}

type Handler = (event: unknown, context: object) => Promise<{ statusCode: number; body: string }>;

const [file = '', port = '', certificate = '', stretch = '1', plan = '[]'] = process.argv.slice(2);
useLambdaConsole();
connectToStub(Number(port), certificate);
if (stretch !== '1') stretchTimers(Number(stretch));
let id = 0;
/** Of the current request; each log line has it. */
let requestId = '-';

/** Ends a part of the run: callgrind writes its counts at each call of this function, which nothing else calls. */
const mark = process.getegid as () => number;

/**
 * Replaces Node's console with the Lambda runtime's: each line is one JSON object, written synchronously to a file
 * descriptor of the platform after a header of 16 bytes.
 */
function useLambdaConsole(): void {
  const header = Buffer.alloc(16);
  const at = (level: string) => (message: unknown) => {
    const now = new Date();
    const text = Buffer.from(
      `${JSON.stringify({ timestamp: now.toISOString(), level, requestId, message })}\n`,
    );
    header.writeUInt32BE(text.length, 4);
    header.writeBigInt64BE(BigInt(now.valueOf()) * 1000n, 8);
    writeSync(3, header);
    writeSync(3, text);
  };
  for (const name of ['trace', 'debug', 'info', 'warn', 'error'] as const)
    console[name] = at(name.toUpperCase());
  console.log = console.info;
}

async function load(): Promise<Handler> {
  const path = resolve(file);
  if (!existsSync(path)) throw new Error(`There is no bundle ${path}.`);
  const module = await import(path);
  return module.handler ?? module.default.handler;
}

async function invoke(handler: Handler, kind: Kind): Promise<string> {
  id += 1;
  // Scaled like the timers: middy starts a timer with it.
  const deadline = Date.now() + 6_000 * Number(stretch);
  requestId = `8f507cfc-xmpl-4697-b07a-${String(id).padStart(12, '0')}`;
  const context = {
    awsRequestId: requestId,
    callbackWaitsForEmptyEventLoop: true,
    functionName: 'plant-store',
    functionVersion: '1',
    invokedFunctionArn: 'arn:aws:lambda:eu-west-1:123456789012:function:plant-store:live',
    memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    logGroupName: '/aws/lambda/plant-store',
    logStreamName: '2026/01/01/[1]abcdef',
    getRemainingTimeInMillis: () => deadline - Date.now(),
  };
  const response = await handler(JSON.parse(proxyEvent(kind, id)), context);
  await new Promise((resolve) => setImmediate(resolve));
  return JSON.stringify(response);
}

async function take(handler: Handler, { kind, count }: Step): Promise<StepReport> {
  const before = cpuMs();
  let last = '';
  for (let rest = count; rest > 0; rest -= 1) last = await invoke(handler, kind);
  const cpu = (cpuMs() - before) / count;
  const { statusCode, body } = JSON.parse(last);
  return { kind, cpu, status: statusCode, body, peakKilobytes: process.resourceUsage().maxRSS };
}

/** The CPU that this process has used, in milliseconds. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const handler = await load();
mark();
const response = await invoke(handler, 'accepted');
mark();
const cpu = cpuMs();
const first = JSON.parse(response);
const steps: StepReport[] = [];
for (const step of JSON.parse(plan) as Step[]) steps.push(await take(handler, step));
writeSync(4, JSON.stringify({ first, cpu, steps } satisfies Report));
process.exit();
