import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { listen } from '../../test/support/listen.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { RUNTIME_CLIENT } from './install-client.ts';
import { lambdaFlags } from './lambda-environment.ts';

const RUNTIME_API = '/2018-06-01/runtime';

/**
 * What the first program of AWS's images does (/var/runtime/bootstrap): it starts Node, or the program that the variable
 * names with Node's command line. It ends with 127 if there is no such program, and with 126 if it is not executable.
 */
const BOOTSTRAP = `exec \${AWS_LAMBDA_EXEC_WRAPPER:+"$AWS_LAMBDA_EXEC_WRAPPER"} "$@"`;

/** The command line with which AWS's images start Node. */
function commandLine({ AWS_LAMBDA_FUNCTION_MEMORY_SIZE: memory }: NodeJS.ProcessEnv): string[] {
  return [process.execPath, ...lambdaFlags(Number(memory)), RUNTIME_CLIENT];
}

/** The outcome of an invocation: the function's response, or the error type that Lambda reports to the caller. */
export type Outcome = { readonly response: APIGatewayProxyResult } | { readonly failed: string };

interface Invocation {
  readonly id: string;
  readonly event: unknown;
  readonly resolve: (outcome: Outcome) => void;
}

/**
 * One execution environment of Lambda: AWS's runtime client with the function in a process of its own, and the Runtime
 * API for it (Lambda Developer Guide, "Using the Lambda runtime API"). As in Lambda, the process is frozen between
 * invocations, and the next invocation after its end starts another one. Nothing ends a process at the timeout, so that no
 * outcome depends on the machine's speed.
 */
export class ExecutionEnvironment {
  readonly #folder: string;
  readonly #timeoutMs: number;
  readonly #variables: NodeJS.ProcessEnv;
  readonly #server = http.createServer((request, response) => {
    for (const stream of [request, response]) stream.on('error', () => undefined);
    void this.#serve(request, response).catch(() => response.destroy());
  });
  readonly #output = path.join(temporaryFolder(), 'output');
  #runtimeApi = '';
  #process: ChildProcess | undefined;
  #invocation: Invocation | undefined;
  /** The runtime client's open request for the next event. */
  #next: http.ServerResponse | undefined;
  /** What waits for {@link initialize}. */
  #initialized: (() => void) | undefined;
  /** The outcome, from when it is known until the process is ready for the next event or has ended. */
  #outcome: Outcome | undefined;

  private constructor(folder: string, timeoutMs: number, variables: NodeJS.ProcessEnv) {
    this.#folder = folder;
    this.#timeoutMs = timeoutMs;
    this.#variables = variables;
  }

  /**
   * Starts the Runtime API; the first invocation starts the process.
   * @param folder the unpacked asset
   * @param timeoutMs the function's timeout
   * @param variables those that Lambda sets, and the function's own
   */
  static async start(folder: string, timeoutMs: number, variables: NodeJS.ProcessEnv) {
    const environment = new ExecutionEnvironment(folder, timeoutMs, variables);
    environment.#runtimeApi = (await listen(environment.#server)).replace('http://', '');
    return environment;
  }

  /** Invokes the function. Events are handled one at a time: the caller waits for the outcome. */
  invoke(event: unknown): Promise<Outcome> {
    return new Promise((resolve) => {
      this.#invocation = { id: randomUUID(), event, resolve };
      if (this.#process === undefined) this.#startProcess();
      this.#handOut();
    });
  }

  /** Starts the process before there is an invocation, as provisioned concurrency does. Resolves when it is ready and frozen. */
  initialize(): Promise<void> {
    return new Promise((resolve) => {
      this.#initialized = resolve;
      this.#startProcess();
    });
  }

  /** The command line of the process. */
  get commandLine(): string[] {
    return readFileSync(`/proc/${this.#process?.pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  }

  /** Sends the process a signal, such as SIGKILL: the end at the timeout, or when its memory is used up. */
  signal(name: NodeJS.Signals): void {
    this.#process?.kill(name);
  }

  /** What all its processes have printed; Lambda writes each line to the function's log group. */
  get log(): string[] {
    return readFileSync(this.#output, 'utf8').split('\n').slice(0, -1);
  }

  async stop(): Promise<void> {
    const ended = this.#process && once(this.#process, 'close');
    this.signal('SIGKILL');
    await ended;
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #startProcess(): void {
    const output = openSync(this.#output, 'a');
    const { PATH } = process.env;
    const child = spawn('sh', ['-c', BOOTSTRAP, 'bootstrap', ...commandLine(this.#variables)], {
      cwd: this.#folder,
      env: { ...this.#variables, PATH, AWS_LAMBDA_RUNTIME_API: this.#runtimeApi },
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    this.#process = child;
    child.once('close', () => {
      this.#process = undefined;
      this.#next = undefined;
      this.#end(this.#outcome ?? { failed: 'Runtime.ExitError' });
    });
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const body = await text(request);
    const route = `${request.method} ${request.url?.replace(RUNTIME_API, '')}`;
    const current = `/invocation/${this.#invocation?.id}`;
    if (route === 'GET /invocation/next') return this.#ready(response);
    response.writeHead(202, { 'content-type': 'application/json' }).end('{"status":"OK"}');
    if (route === `POST ${current}/response`) this.#outcome = { response: JSON.parse(body) };
    if (route === `POST ${current}/error` || route === 'POST /init/error')
      this.#outcome = { failed: JSON.parse(body).errorType };
  }

  #ready(response: http.ServerResponse): void {
    this.#next = response;
    if (this.#outcome !== undefined) {
      this.signal('SIGSTOP');
      this.#end(this.#outcome);
    } else if (this.#invocation === undefined) this.signal('SIGSTOP');
    this.#initialized?.();
    this.#handOut();
  }

  #end(outcome: Outcome): void {
    const invocation = this.#invocation;
    this.#invocation = undefined;
    this.#outcome = undefined;
    invocation?.resolve(outcome);
  }

  #handOut(): void {
    if (this.#next === undefined || this.#invocation === undefined) return;
    const { id, event } = this.#invocation;
    this.signal('SIGCONT');
    this.#next.writeHead(200, {
      'content-type': 'application/json',
      'lambda-runtime-aws-request-id': id,
      'lambda-runtime-deadline-ms': String(Date.now() + this.#timeoutMs),
      'lambda-runtime-invoked-function-arn': 'arn:aws:lambda:eu-west-1:111122223333:function:plants:live',
      'lambda-runtime-trace-id': 'Root=1-65a1b2c3-0123456789abcdef01234567;Parent=0123456789abcdef;Sampled=1',
    });
    this.#next.end(JSON.stringify(event));
    this.#next = undefined;
  }
}
