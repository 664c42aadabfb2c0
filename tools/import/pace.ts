/** After this many failures in a row, the service is taken to be out of order, and one request at a time asks for it. */
const OUTAGE = 8;
/** The shortest pause of one plant, and of all requests during an outage, in milliseconds. */
const LEAST_PAUSE_MS = { plant: 250, outage: 1_000 };

interface Waiting {
  /** 0 for a new request. */
  readonly notBefore: number;
  readonly start: () => void;
}

/**
 * Limits how many requests are in flight: additive increase, multiplicative decrease, as TCP does (RFC 5681 §3.1). It starts
 * with one request, and each response adds three. A throttled request halves the limit; from then on each round of responses
 * adds one. During an outage, nothing is sent for as long as the last failure asks, and then one request; after its response
 * the last limit applies again, and each response adds three. A plant waits for its next attempt without a place among the
 * requests in flight.
 */
export class Pace {
  #limit = 1;
  #inFlight = 0;
  #decreases = 0;
  /** Whether each response adds one. */
  #isStarting = true;
  /** Failures since the last response. */
  #failures = 0;
  /** The limit at the start of the last outage. */
  #limitBefore = 1;
  /** Before this, no request starts. */
  #notBefore = 0;
  readonly #most: number;
  /** The retries, and after them the new requests. */
  readonly #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param most the most requests that may be in flight */
  constructor(most: number) {
    this.#most = most;
  }

  /** How many requests may be in flight now. */
  get limit(): number {
    return Math.floor(this.#limit);
  }

  /**
   * Waits until a request may be sent. Retries take precedence over new requests.
   * @param notBefore when a retry may be sent at the earliest
   * @returns the ticket of this request, for {@link failed}
   */
  async enter(notBefore = 0): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const firstNew = this.#waiting.findIndex((each) => each.notBefore === 0);
    const place = notBefore === 0 || firstNew < 0 ? this.#waiting.length : firstNew;
    this.#waiting.splice(place, 0, { notBefore, start: resolve });
    this.#admit();
    await promise;
    return this.#decreases;
  }

  /** Reports that a request is no longer in flight. */
  leave(): void {
    this.#inFlight -= 1;
    this.#admit();
  }

  /** Reports that a request got a response. */
  responded(): void {
    if (this.#failures >= OUTAGE) this.#limit = this.#limitBefore;
    this.#failures = 0;
    this.#limit = Math.min(this.#most, this.#limit + (this.#isStarting ? 3 : 1 / this.#limit));
  }

  /**
   * Reports that a request failed and is to be retried.
   * @param asked how long to wait, in milliseconds
   * @param isThrottled whether fewer requests could help
   * @returns when it may be retried at the earliest
   */
  failed(ticket: number, asked: number, isThrottled: boolean): number {
    const now = performance.now();
    this.#failures += 1;
    if (this.#failures >= OUTAGE) {
      if (this.#failures === OUTAGE) this.#limitBefore = this.#limit;
      this.#limit = 1;
      this.#isStarting = true;
      this.#decreases += 1;
      this.#notBefore = Math.max(this.#notBefore, now + Math.max(asked, LEAST_PAUSE_MS.outage));
    } else if (isThrottled && ticket === this.#decreases) {
      // Requests that were sent before a decrease do not cause another one.
      this.#limit = Math.max(1, this.#limit / 2);
      this.#isStarting = false;
      this.#decreases += 1;
    }
    return now + Math.max(asked, LEAST_PAUSE_MS.plant);
  }

  /** Lets all requests start, because the signal that stops the import stops them. */
  close(): void {
    this.#limit = Infinity;
    this.#notBefore = 0;
    for (const { start } of this.#waiting.splice(0)) start();
  }

  /** Starts what may start now, and sets a timer for what only waits for its time. */
  #admit(): void {
    clearTimeout(this.#timer);
    const now = performance.now();
    while (this.#inFlight < this.limit && now >= this.#notBefore) {
      const ready = this.#waiting.findIndex(({ notBefore }) => notBefore <= now);
      if (ready < 0) break;
      this.#inFlight += 1;
      this.#waiting.splice(ready, 1)[0]?.start();
    }
    if (this.#inFlight >= this.limit) return;
    const first = Math.min(...this.#waiting.map(({ notBefore }) => notBefore));
    const at = Math.max(first, this.#notBefore);
    if (Number.isFinite(at)) this.#timer = setTimeout(() => this.#admit(), Math.ceil(at - now));
  }
}
