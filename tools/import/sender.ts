import { createPlantStore, PlantStoreError } from '../../client/src/index.ts';
import type { NewPlant } from '../../lambda/request/plant.ts';
import { PlainError } from '../../local/plain-error.ts';
import { httpFetch } from './http-fetch.ts';
import type { Pace } from './pace.ts';
import type { Refusal } from './record.ts';

/** The errors that concern a single line. All others would affect every line, so they stop the import. */
const OF_THE_LINE: readonly number[] = [40001, 40002, 40901, 41301];
/** The errors after which fewer requests are in flight: 42901, 50301. */
const THROTTLED: readonly number[] = [429, 503];

/** How to send, and when to stop trying. */
export interface SenderOptions {
  readonly baseUrl: string;
  readonly token: string;
  readonly signal: AbortSignal;
  readonly pace: Pace;
  /** In milliseconds: how long requests are repeated while none succeeds. */
  readonly patienceMs: number;
}

/** Sends plants with plant-store-client. Repeats count towards the shared limit of requests in flight. */
export class Sender {
  readonly #options: SenderOptions;
  readonly #fetch: typeof fetch;
  /** When the service last answered a line, in milliseconds; undefined if it never has. */
  #answeredAt: number | undefined;
  readonly #startedAt = performance.now();

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#fetch = httpFetch(options.baseUrl);
  }

  /**
   * Sends a plant until it is stored or refused.
   * @returns why the line was refused, or undefined if the plant is stored
   * @throws PlainError for an error that does not concern this line; the signal's reason if it is aborted
   */
  async send(plant: NewPlant): Promise<Refusal | undefined> {
    const { pace, baseUrl, token, signal } = this.#options;
    let ticket = await pace.enter();
    const onRepeat = async (error: PlantStoreError) => {
      this.#requireHope(error);
      if (THROTTLED.includes(error.status)) pace.slower(ticket);
      // Leaves and queues again, because fewer requests may be allowed now.
      pace.leave();
      ticket = await pace.enter(true);
    };
    try {
      // One client per line, because onRepeat must know which request it belongs to.
      const store = createPlantStore({
        baseUrl,
        token,
        fetch: this.#fetch,
        signal,
        onRepeat,
        timeoutMs: Infinity,
      });
      await store.createPlant(plant);
      this.#answered();
      return undefined;
    } catch (error) {
      if (!(error instanceof PlantStoreError)) throw error;
      if (!OF_THE_LINE.includes(error.error)) throw new PlainError(explain(baseUrl, error));
      this.#answered();
      return { error: error.error, message: error.message };
    } finally {
      pace.leave();
    }
  }

  #answered(): void {
    this.#answeredAt = performance.now();
    this.#options.pace.faster();
  }

  /** Whether a repeat may help. @throws PlainError if not */
  #requireHope(error: PlantStoreError): void {
    const { baseUrl, patienceMs } = this.#options;
    // Before the service has answered once, a foreign answer means a wrong address rather than a fault.
    const isForeign = error.status === 504 && error.requestId === undefined;
    const isElsewhere = this.#answeredAt === undefined && isForeign;
    const isOver = performance.now() - (this.#answeredAt ?? this.#startedAt) > patienceMs;
    if (isElsewhere || isOver) throw new PlainError(explain(baseUrl, error));
  }
}

function explain(baseUrl: string, { error, message, cause }: PlantStoreError): string {
  const { code } = Object((cause as Error | undefined)?.cause ?? cause) as NodeJS.ErrnoException;
  if (cause !== undefined) return `${baseUrl} cannot be reached (${code ?? 'no answer in time'}).`;
  return `${baseUrl} answers ${error}: ${message}`;
}
