import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { listen } from '../../local/listen.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { RUNTIME_CLIENT } from './install-client.ts';
import { lambdaFlags } from './lambda-environment.ts';

const RUNTIME_API = '/2018-06-01/runtime';

/**
 * What the first program of AWS's images does (/var/runtime/bootstrap): it starts Node, or the program that the variable
 * names with Node's command line. It ends with 127 if there is no such program, and with 126 if it is not executable.
 */
const BOOTSTRAP = `exec \${AWS_LAMBDA_EXEC_WRAPPER:+"$AWS_LAMBDA_EXEC_WRAPPER"} "$@"`;

/** The outcome of an invocation: the function's response, or the error type that Lambda reports to the caller. */
export type InvocationResult = { readonly response: APIGatewayProxyResult } | { readonly failed: string };

export type ExecutionEnvironment = Awaited<ReturnType<typeof startEnvironment>>;

/**
 * Starts an execution environment of Lambda: AWS's runtime client with the function in a process of its own, and the Runtime
 * API for it (Lambda Developer Guide, "Using the Lambda runtime API"). As in Lambda, the process is frozen between
 * invocations, and the next invocation after its end starts another one. Nothing ends a process at the timeout, so that no
 * outcome depends on the machine's speed. The first invocation starts the process.
 * @param folder the unpacked asset
 * @param timeoutMs the function's timeout
 * @param variables those that Lambda sets, and the function's own
 */
export async function startEnvironment(folder: string, timeoutMs: number, variables: NodeJS.ProcessEnv) {
  const output = path.join(temporaryFolder(), 'output');
  let child: ChildProcess | undefined;
  let invocation: { id: string; event: unknown; resolve: (outcome: InvocationResult) => void } | undefined;
  /** The runtime client's open request for the next event. */
  let next: http.ServerResponse | undefined;
  /** What waits for `initialize`. */
  let onReady: (() => void) | undefined;
  /** The outcome, from when it is known until the process is ready for the next event or has ended. */
  let outcome: InvocationResult | undefined;

  const server = http.createServer((request, response) => {
    for (const stream of [request, response]) stream.on('error', () => undefined);
    void serve(request, response).catch(() => response.destroy());
  });
  const AWS_LAMBDA_RUNTIME_API = (await listen(server)).replace('http://', '');

  /** Sends the process a signal, such as SIGKILL: the end at the timeout, or when its memory is used up. */
  const signal = (name: NodeJS.Signals) => void child?.kill(name);

  function startProcess(): void {
    const log = openSync(output, 'a');
    const { PATH } = process.env;
    // The command line with which AWS's images start Node.
    const flags = lambdaFlags(Number(variables.AWS_LAMBDA_FUNCTION_MEMORY_SIZE));
    const command = [process.execPath, ...flags, RUNTIME_CLIENT];
    child = spawn('sh', ['-c', BOOTSTRAP, 'bootstrap', ...command], {
      cwd: folder,
      env: { ...variables, PATH, AWS_LAMBDA_RUNTIME_API },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    child.once('close', () => {
      child = undefined;
      next = undefined;
      end(outcome ?? { failed: 'Runtime.ExitError' });
    });
  }

  async function serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const body = await text(request);
    const route = `${request.method} ${request.url?.replace(RUNTIME_API, '')}`;
    const current = `/invocation/${invocation?.id}`;
    if (route === 'GET /invocation/next') return ready(response);
    response.writeHead(202, { 'content-type': 'application/json' }).end('{"status":"OK"}');
    if (route === `POST ${current}/response`) outcome = { response: JSON.parse(body) };
    if (route === `POST ${current}/error` || route === 'POST /init/error')
      outcome = { failed: JSON.parse(body).errorType };
  }

  function ready(response: http.ServerResponse): void {
    next = response;
    if (outcome !== undefined || invocation === undefined) signal('SIGSTOP');
    if (outcome !== undefined) end(outcome);
    onReady?.();
    handOut();
  }

  function end(result: InvocationResult): void {
    const ended = invocation;
    invocation = undefined;
    outcome = undefined;
    ended?.resolve(result);
  }

  function handOut(): void {
    if (next === undefined || invocation === undefined) return;
    signal('SIGCONT');
    next.writeHead(200, {
      'content-type': 'application/json',
      'lambda-runtime-aws-request-id': invocation.id,
      'lambda-runtime-deadline-ms': String(Date.now() + timeoutMs),
      'lambda-runtime-invoked-function-arn': 'arn:aws:lambda:eu-west-1:111122223333:function:plants:live',
      'lambda-runtime-trace-id': 'Root=1-65a1b2c3-0123456789abcdef01234567;Parent=0123456789abcdef;Sampled=1',
    });
    next.end(JSON.stringify(invocation.event));
    next = undefined;
  }

  return {
    signal,
    /** Invokes the function. Events are handled one at a time: the caller waits for the outcome. */
    invoke: (event: unknown) =>
      new Promise<InvocationResult>((resolve) => {
        invocation = { id: randomUUID(), event, resolve };
        if (child === undefined) startProcess();
        handOut();
      }),
    /** Starts the process before there is an invocation, as provisioned concurrency does. Resolves when it is ready and frozen. */
    initialize: () =>
      new Promise<void>((resolve) => {
        onReady = resolve;
        startProcess();
      }),
    /** The command line of the process. */
    get commandLine(): string[] {
      return readFileSync(`/proc/${child?.pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
    },
    /** What all its processes have printed; Lambda writes each line to the function's log group. */
    get log(): string[] {
      return readFileSync(output, 'utf8').split('\n').slice(0, -1);
    },
    async stop(): Promise<void> {
      const ended = child && once(child, 'close');
      signal('SIGKILL');
      await ended;
      server.closeAllConnections();
      server.close();
    },
  };
}
