import { randomUUID } from 'node:crypto';
import { stdout } from 'node:process';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { visible } from '../cli/print.ts';
import { LAMBDA_TIMEOUT_MS } from '../lambda/limits.ts';
import type { Handler } from '../lambda/middleware.ts';
import type { IdForm } from '../lambda/request/id-form.ts';
import type { RequestLogLine } from '../lambda/request/log.ts';

/**
 * Runs the function as Lambda does, with a remaining time and a timeout.
 * @throws the error that the function throws, or an Error if it times out
 */
export async function invoke(handler: Handler, event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  const deadline = performance.now() + LAMBDA_TIMEOUT_MS;
  const getRemainingTimeInMillis = () => deadline - performance.now();
  const context = { awsRequestId: randomUUID(), getRemainingTimeInMillis };
  const timeOut = Promise.withResolvers<never>();
  const timer = setTimeout(timeOut.reject, LAMBDA_TIMEOUT_MS, new Error('The function timed out.'));
  try {
    return await Promise.race([handler(event, context), timeOut.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The most requests in the function at once, and so the most connections to the store: a request makes one call at a
 * time. The same as the concurrency of a new account. More are hardly faster, and come nearer to the calls' time limits.
 */
const EXECUTIONS = 10;

/**
 * Makes a function that invokes the handler as soon as an execution is free, first come, first served. As in Lambda, where an
 * execution environment serves one request at a time, the time limits begin only then.
 * @returns rejects with what the handler throws
 */
export function executor(handler: Handler) {
  const waiting: (() => void)[] = [];
  let free = EXECUTIONS;
  return async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await invoke(handler, event);
    } finally {
      const next = waiting.shift() ?? (() => (free += 1));
      next();
    }
  };
}

/**
 * Makes `console.info` and `console.error` print a line of the log as one line in Lambda's JSON log format, or not at all. Strings stay as
 * they are. A closed standard output, as in `npm start | head -1`, does not end the service.
 * @param isLogged whether all lines of the log are printed; else only those of an error of the service, and as text an id that its client
 * may have rounded, because a developer may be trying that client
 */
export function printAsLambdaLogs(isLogged = true): void {
  stdout.on('error', () => undefined);
  const print = (level: 'INFO' | 'ERROR', message: unknown) => {
    const text = typeof message === 'string' ? message : lineOf(level, Object(message), isLogged);
    if (text !== undefined) stdout.write(`${visible(text)}\n`);
  };
  console.info = (message: unknown) => print('INFO', message);
  const { error } = console;
  console.error = (...messages: unknown[]) => {
    if (Object(messages[0]).outcome === undefined) error(...messages);
    else print('ERROR', messages[0]);
  };
}

const FORMS: Readonly<Record<IdForm, string>> = { exponent: 'an exponent', fraction: 'a decimal point' };

function lineOf(
  level: 'INFO' | 'ERROR',
  message: Partial<RequestLogLine>,
  isLogged: boolean,
): string | undefined {
  const { error = 0, id, idForm } = message;
  if (isLogged || error >= 50_000)
    return JSON.stringify({ timestamp: new Date().toISOString(), level, message });
  return (
    idForm && `The id ${id} had ${FORMS[idForm]}: its client may have rounded it (docs/clients.md, rule 1).`
  );
}
