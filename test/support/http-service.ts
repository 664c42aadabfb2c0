import { createGateway, type GatewayOptions } from '../../local/gateway.ts';
import { listen } from '../../local/listen.ts';
import { startTestService } from './test-service.ts';

/** Starts the function of a test service behind the stand-in for API Gateway, in this process. It does not log. */
export async function startHttpService(options: GatewayOptions = {}) {
  const service = await startTestService({ allowedOrigins: options.allowedOrigins });
  const gateway = createGateway(service.handler, { log: () => undefined, ...options });
  return {
    ...service,
    url: await listen(gateway),
    close: async () => {
      gateway.close();
      gateway.closeAllConnections();
      await service.close();
    },
  };
}
