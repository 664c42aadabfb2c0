import type { Agent } from 'node:http';
import { createPlantStore, PlantStoreError } from '../../client/src/index.ts';
import type { NewPlant } from '../../lambda/plant.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { oneLine } from '../../terminal/print.ts';
import { httpFetch } from './http-fetch.ts';
import type { Pace } from './pace.ts';
import type { Refusal } from './record.ts';

/** The errors that concern a single line. All others would affect every line, so they stop the import. */
const OF_THE_LINE: readonly number[] = [40001, 40002, 40901, 41301];
/** The statuses of the errors after which fewer requests are in flight: 42901 and 50301. */
const THROTTLED: readonly number[] = [429, 503];
/** How long requests are retried while none succeeds, in milliseconds. */
export const PATIENCE_MS = 60_000;

/** Where plants are sent, and the token for it. */
export interface ServiceAccess {
  readonly url: string;
  readonly token: string;
  /** Makes the connections; without it, every program that listens at the address gets the token. */
  readonly agent?: Agent;
}

/**
 * Prepares to send plants with plant-store-client. Retries count towards the pace's limit of requests in flight.
 * @param signal stops all requests
 * @param fetch how requests are sent
 * @returns a function that sends a plant until it is stored or refused. It returns why the plant was refused, or undefined
 * if it is stored. It throws a PlainError for an error that does not concern this plant, or the signal's reason.
 */
export function plantSender(
  { url: baseUrl, token, agent }: ServiceAccess,
  pace: Pace,
  signal: AbortSignal,
  fetch = httpFetch(baseUrl, agent),
): (plant: NewPlant) => Promise<Refusal | undefined> {
  // The client would pause with a place among the requests in flight, so it sends each request once.
  const client = createPlantStore({ baseUrl, token, fetch, signal, maxAttempts: 1 });
  let hasResponded = false;
  /** When the first request failed since the service last stored or refused a plant. */
  let failingSince: number | undefined;
  signal.addEventListener('abort', () => pace.close());

  function responded(): void {
    hasResponded = true;
    failingSince = undefined;
    pace.responded();
  }

  /**
   * @returns the milliseconds that the service asks to wait
   * @throws PlainError if a retry cannot help
   */
  function pauseAfter(error: PlantStoreError): number {
    failingSince ??= performance.now();
    const pauseMs = (error.retryAfter ?? Infinity) * 1000;
    // If the service has never responded, its address is probably wrong.
    const isUnread = error.requestId === undefined && (error.status === 504 || error.cause !== undefined);
    const isElsewhere = isUnread && !hasResponded;
    if (isElsewhere || performance.now() + pauseMs - failingSince > PATIENCE_MS)
      throw explained(baseUrl, error);
    return pauseMs;
  }

  return async (plant) => {
    let notBefore: number | undefined;
    for (;;) {
      const ticket = await pace.enter(notBefore);
      try {
        await client.createPlant(plant);
        responded();
        return undefined;
      } catch (error) {
        if (!(error instanceof PlantStoreError)) throw error;
        if (OF_THE_LINE.includes(error.error)) {
          responded();
          return { error: error.error, message: error.message };
        }
        notBefore = pace.failed(ticket, pauseAfter(error), THROTTLED.includes(error.status));
      } finally {
        pace.leave();
      }
    }
  };
}

function explained(baseUrl: string, { error, message, cause }: PlantStoreError): PlainError {
  if (cause === undefined) return new PlainError(oneLine(`${baseUrl} returns ${error}: ${message}`));
  const { code } = Object((cause as Error).cause ?? cause) as NodeJS.ErrnoException;
  // A timeout is a DOMException, whose code is a number.
  const reason = typeof code === 'string' ? code : 'no response in time';
  return new PlainError(`${baseUrl} cannot be reached (${reason}).`);
}
