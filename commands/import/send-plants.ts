import { causeOf } from '../../cli/cause.ts';
import { PlainError } from '../../cli/plain-error.ts';
import { oneLine } from '../../cli/print.ts';
import {
  ATTEMPT_TIMEOUT_MS,
  createPlantStore,
  type Fetch,
  type NewPlant as PlantOfClient,
  PlantStoreError,
} from '../../client/src/index.ts';
import type { NewPlant } from '../../lambda/plant.ts';
import { poolFetch } from './pool-fetch.ts';
import type { Refusal } from './record.ts';

/** The errors that concern a single line. All others would affect every line, so they stop the import. */
const OF_THE_LINE: readonly number[] = [40001, 40002, 40901, 41301];
/** How long a plant is retried, in milliseconds. */
export const PLANT_RETRY_MS = 60_000;

/**
 * Prepares to send plants with the client.
 * @param signal stops all requests
 * @returns a function that sends a plant until it is stored or refused. It returns why the plant was refused, or undefined
 * if it is stored. It throws a PlainError for an error that does not concern this plant, or the signal's reason.
 */
export function plantSender(service: { url: string; token: string }, signal: AbortSignal) {
  const { url: baseUrl, token } = service;
  /** A status such as 503 is that of a proxy which knows the service, or of the service. A page with 200 may be anybody's. */
  let hasResponded = false;
  const onRetry = (error: PlantStoreError) => {
    const isUnread = error.requestId === undefined && (error.status === 504 || error.cause !== undefined);
    // The address is probably wrong.
    if (isUnread && !hasResponded) throw error;
  };
  const sendOnce = poolFetch(baseUrl);
  const fetch: Fetch = async (...request) => {
    const response = await sendOnce(...request);
    if (response.status >= 400) hasResponded = true;
    return response;
  };
  const client = createPlantStore({ baseUrl, token, fetch, signal, timeoutMs: PLANT_RETRY_MS, onRetry });
  return async (plant: NewPlant): Promise<Refusal | undefined> => {
    try {
      await client.createPlant(withObjects(plant) as PlantOfClient);
      return undefined;
    } catch (error) {
      if (!(error instanceof PlantStoreError)) throw error;
      if (!OF_THE_LINE.includes(error.error)) throw explained(baseUrl, error);
      return { error: error.error, message: error.message };
    } finally {
      // Otherwise, the import stops.
      hasResponded = true;
    }
  };
}

/** The same value with an object in place of each map, as the client takes it. */
export function withObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withObjects);
  if (typeof value !== 'object' || value === null) return value;
  const members: [string, unknown][] = value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(members.map(([name, each]) => [name, withObjects(each)]));
}

function explained(baseUrl: string, { error, message, cause }: PlantStoreError): PlainError {
  if (cause === undefined) return new PlainError(oneLine(`${baseUrl} returns ${error}: ${message}`));
  return new PlainError(`${baseUrl} cannot be reached (${causeOf(cause, ATTEMPT_TIMEOUT_MS)}).`);
}
