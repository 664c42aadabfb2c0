import { PlantStoreError } from './errors.ts';

/** The only operation there is. */
export const OPERATION = { method: 'POST', path: '/plants' } as const;

/** Just one slash before `plants` and none behind it; a custom domain's base path may stand before that. */
const PATH = /(?:^|[^/])\/plants$/;

/**
 * Refuses everything but `POST /plants`, an event that is no HTTP request included. Both the route that the gateway
 * matched and the path that was sent have to fit: API Gateway routes `/plants/` and `//plants` here too.
 * @throws PlantStoreError 40401
 */
export function requirePostPlants(event: { httpMethod?: unknown; resource?: unknown; path?: unknown }): void {
  const { httpMethod, path, resource = path } = event;
  const isRoute = httpMethod === OPERATION.method && resource === OPERATION.path;
  if (!isRoute || typeof path !== 'string' || !PATH.test(path))
    throw new PlantStoreError('NO_SUCH_OPERATION');
}
