import { createServer } from 'node:http';
import { createGateway } from '../../local/gateway.ts';
import { listen } from '../../test/support/listen.ts';
import { startTestService } from '../../test/support/test-service.ts';

/** Starts a service in this process that stops responding after 20 requests. */
export async function startStopping() {
  const service = await startTestService();
  const gateway = createGateway(service.handler);
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    if (requests > 20) request.socket.destroy();
    else gateway.emit('request', request, response);
  });
  return {
    url: await listen(server),
    token: service.token,
    close: () => {
      server.close();
      return service.close();
    },
  };
}
