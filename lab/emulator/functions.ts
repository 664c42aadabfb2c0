import http from 'node:http';
import { text } from 'node:stream/consumers';
import { ExecutionEnvironment } from '../../.ci/runtime/execution-environment.ts';
import { listen } from '../../test/support/listen.ts';

/** A version of a function, as start.py describes it. */
interface Version {
  /** The unpacked asset. */
  readonly folder: string;
  /** What the function is told; nothing ends it, so that no outcome depends on the machine's speed. */
  readonly timeoutMs: number;
  /** The variables that LocalStack would set in a container, and the function's own. */
  readonly variables: Record<string, string>;
}

/**
 * Runs functions for LocalStack: each of its execution environments is a process of AWS's runtime client.
 * `POST /ID` with a version and an event invokes the function in an environment; `DELETE /ID` ends the environment.
 */
export class Functions {
  readonly #environments = new Map<string, ExecutionEnvironment>();
  readonly #server = http.createServer((request, response) => {
    for (const stream of [request, response]) stream.on('error', () => undefined);
    void this.#serve(request)
      .then((result) => response.end(JSON.stringify(result ?? null)))
      .catch((error) => response.writeHead(500).end(String(error)));
  });

  /** @returns the address for start.py */
  start(): Promise<string> {
    return listen(this.#server);
  }

  /** Kills all processes at once: those that are frozen would not end with this one. */
  stop(): void {
    for (const environment of this.#environments.values()) environment.signal('SIGKILL');
  }

  async #serve(request: http.IncomingMessage): Promise<unknown> {
    const id = String(request.url).slice(1);
    if (request.method === 'DELETE') return this.#end(id);
    const { event, ...version } = JSON.parse(await text(request)) as Version & { readonly event: unknown };
    const environment = await this.#environment(id, version);
    return environment.invoke(event);
  }

  /** LocalStack waits for the response before it uses an environment again, so none is started twice. */
  async #environment(id: string, { folder, timeoutMs, variables }: Version): Promise<ExecutionEnvironment> {
    const environment =
      this.#environments.get(id) ?? (await ExecutionEnvironment.start(folder, timeoutMs, variables));
    this.#environments.set(id, environment);
    return environment;
  }

  async #end(id: string): Promise<void> {
    const environment = this.#environments.get(id);
    this.#environments.delete(id);
    await environment?.stop();
  }
}
