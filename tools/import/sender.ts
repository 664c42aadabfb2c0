import { createPlantStore, PlantStoreError } from '../../client/src/index.ts';
import { PlainError } from '../../infra/plain-error.ts';
import type { NewPlant } from '../../lambda/request/plant.ts';
import { httpFetch } from './http-fetch.ts';
import type { Pace } from './pace.ts';
import type { Refusal } from './record.ts';

/** The errors that concern a single line. All others would affect every line, so they stop the import. */
const OF_THE_LINE: readonly number[] = [40001, 40002, 40901, 41301];
/** The statuses of the errors after which fewer requests are in flight: 42901 and 50301. */
const THROTTLED: readonly number[] = [429, 503];
/** How long requests are repeated while none succeeds, in milliseconds. */
const PATIENCE_MS = 60_000;

/** Where plants are sent. */
export interface Service {
  readonly url: string;
  readonly token: string;
}

/**
 * Prepares to send plants with plant-store-client. Repeats count towards the pace's limit of requests in flight.
 * @param signal stops all requests
 * @returns a function that sends a plant until it is stored or refused. It returns why the plant was refused, or undefined
 * if it is stored. It throws a PlainError for an error that does not concern this plant, or the signal's reason.
 */
export function plantSender(
  { url: baseUrl, token }: Service,
  pace: Pace,
  signal: AbortSignal,
): (plant: NewPlant) => Promise<Refusal | undefined> {
  const fetch = httpFetch(baseUrl);
  let hasAnswered = false;
  /** When the service last stored or refused a plant, in milliseconds; before that, the start. */
  let answeredAt = performance.now();

  function answered(): void {
    hasAnswered = true;
    answeredAt = performance.now();
    pace.faster();
  }

  /** @throws PlainError if repeating a request cannot help */
  function throwUnlessRepeatable(error: PlantStoreError): void {
    // If the service has never answered, its address is probably wrong.
    const isUnread = error.requestId === undefined && (error.status === 504 || error.cause !== undefined);
    const isElsewhere = isUnread && !hasAnswered;
    if (isElsewhere || performance.now() - answeredAt > PATIENCE_MS) throw explained(baseUrl, error);
  }

  return async (plant) => {
    let ticket = await pace.enter();
    const onRepeat = async (error: PlantStoreError) => {
      throwUnlessRepeatable(error);
      if (THROTTLED.includes(error.status)) pace.slower(ticket);
      // Leaves and queues again, because fewer requests may be allowed now.
      pace.leave();
      ticket = await pace.enter(true);
    };
    try {
      // One client per plant, because onRepeat must know which request it belongs to.
      const endless = { timeoutMs: Infinity, maxAttempts: Infinity };
      const options = { baseUrl, token, fetch, signal, onRepeat, ...endless };
      await createPlantStore(options).createPlant(plant);
      answered();
      return undefined;
    } catch (error) {
      if (!(error instanceof PlantStoreError)) throw error;
      if (!OF_THE_LINE.includes(error.error)) throw explained(baseUrl, error);
      answered();
      return { error: error.error, message: error.message };
    } finally {
      pace.leave();
    }
  };
}

function explained(baseUrl: string, { error, message, cause }: PlantStoreError): PlainError {
  const { code } = Object((cause as Error | undefined)?.cause ?? cause) as NodeJS.ErrnoException;
  return new PlainError(
    cause === undefined
      ? `${baseUrl} answers ${error}: ${message}`
      : `${baseUrl} cannot be reached (${code ?? 'no answer in time'}).`,
  );
}
