import { createGateway, type GatewayOptions } from '../../local/gateway.ts';
import { listen } from './listen.ts';
import { startTestService, type TestService } from './test-service.ts';

/** The function of a {@link TestService} behind the stand-in for API Gateway, in this process. */
export interface HttpService extends TestService {
  readonly url: string;
}

/**
 * Starts both. The stand-in does not log.
 * @param options.endpoint the address of the function's store, if it has another
 */
export async function startHttpService({
  endpoint,
  ...options
}: GatewayOptions & { endpoint?: string } = {}): Promise<HttpService> {
  const service = await startTestService({ allowedOrigins: options.allowedOrigins, endpoint });
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
