import { PlantStoreError } from './errors.ts';

/** The only operation there is. */
export const OPERATION = { method: 'POST', path: '/plants' } as const;

/**
 * Refuses everything but `POST /plants`, an event that is no HTTP request included. `resource` is the route that the
 * gateway matched; `path` may carry the base path of a custom domain in front.
 * @throws PlantStoreError 40401
 */
export function requirePostPlants(event: { httpMethod?: unknown; resource?: unknown; path?: unknown }): void {
  const path = event.resource ?? event.path;
  if (event.httpMethod !== OPERATION.method || path !== OPERATION.path) {
    throw new PlantStoreError('NO_SUCH_OPERATION');
  }
}
