import http from 'node:http';
import { text } from 'node:stream/consumers';
import { type ExecutionEnvironment, startEnvironment } from '../../.ci/runtime/execution-environment.ts';
import { listen } from '../../local/listen.ts';

/**
 * Runs functions for LocalStack: each of its execution environments is a process of AWS's runtime client.
 * `POST /ID` with a version, as start.py describes it, and an event invokes the function in an environment; `DELETE /ID` ends the
 * environment. LocalStack waits for the response before it uses an environment again, so none is started twice.
 * @returns the address for start.py, and what kills all processes at once: those that are frozen would not end with this one
 */
export async function startFunctions() {
  const environments = new Map<string, ExecutionEnvironment>();

  async function serve(request: http.IncomingMessage): Promise<unknown> {
    const id = String(request.url);
    const known = environments.get(id);
    if (request.method === 'DELETE') {
      environments.delete(id);
      return known?.stop();
    }
    const { event, folder, timeoutMs, variables } = JSON.parse(await text(request));
    const environment = known ?? (await startEnvironment(folder, timeoutMs, variables));
    environments.set(id, environment);
    return environment.invoke(event);
  }

  const server = http.createServer((request, response) => {
    for (const stream of [request, response]) stream.on('error', () => undefined);
    void serve(request)
      .then((result) => response.end(JSON.stringify(result ?? null)))
      .catch((error) => response.writeHead(500).end(String(error)));
  });
  return {
    address: await listen(server),
    kill: () => {
      for (const environment of environments.values()) environment.signal('SIGKILL');
    },
  };
}
