import { LAMBDA_TIMEOUT_MS } from '../../lambda/limits.ts';
import { ERRORS } from '../../lambda/published-errors.ts';
import type { SimulatedClock } from './clock.ts';
import { Store, type Throttle } from './store.ts';
import type { Process, Subject } from './subjects.ts';

/** Between client and function, both ways, in milliseconds. */
const NETWORK_MS = 20;

/** docs/errors.md, "Retries". */
const MOST_ATTEMPTS = 5;
const LAST_START_MS = 30_000;

/** What came of the plants of all clients of one subject. */
export interface Outcome {
  /** Milliseconds from the first request to the 200, for each plant; Infinity if its client gave up. */
  readonly times: number[];
  calls: number;
  billedMs: number;
}

/** A client that sends one request at a time, and the process that serves it, which has served before the throttle. */
export class Client {
  readonly #clock: SimulatedClock;
  readonly #subject: Subject;
  readonly #throttle: Throttle;
  #store: Store;
  #process: Process;

  constructor(clock: SimulatedClock, subject: Subject, throttle: Throttle) {
    this.#clock = clock;
    this.#subject = subject;
    this.#throttle = throttle;
    this.#store = new Store(clock, throttle);
    this.#process = subject.start(this.#store);
  }

  /** Sends plants, one after the other, whose first request falls into the throttle. @param most how many are wanted */
  async send(start: number, most: number, outcome: Outcome): Promise<void> {
    const clock = this.#clock;
    clock.restart(-1_000);
    await clock.until(this.#request({ times: [], calls: 0, billedMs: 0 }));
    clock.restart(start);
    while (clock.now < this.#throttle.ms && outcome.times.length < most)
      outcome.times.push(await clock.until(this.#sendPlant(outcome)));
  }

  async #sendPlant(outcome: Outcome): Promise<number> {
    const clock = this.#clock;
    const begin = clock.now;
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      const response = await this.#request(outcome);
      if (response?.statusCode === 200) return clock.now - begin;
      // That of the gateway, if the function was stopped.
      const retryAfter = Number(response?.headers?.['retry-after'] ?? ERRORS.NO_RESPONSE.retryAfter);
      const pause = retryAfter * 1_000 * 2 ** (attempt - 1) * (1 + Math.random() / 2);
      if (clock.now + pause - begin > LAST_START_MS) break;
      await clock.pause(pause);
    }
    return Number.POSITIVE_INFINITY;
  }

  /** @returns undefined if Lambda stopped the function, and the process with it */
  async #request(outcome: Outcome) {
    const clock = this.#clock;
    await clock.pause(NETWORK_MS / 2);
    const [begin, calls] = [clock.now, this.#store.calls];
    const getRemainingTimeInMillis = () => begin + LAMBDA_TIMEOUT_MS - clock.now;
    const timeout = clock.pause(LAMBDA_TIMEOUT_MS).then(() => undefined);
    const response = await Promise.race([this.#process({ getRemainingTimeInMillis }), timeout]);
    outcome.calls += this.#store.calls - calls;
    outcome.billedMs += Math.ceil(clock.now - begin);
    if (!response) {
      this.#store.isStopped = true;
      this.#store = new Store(clock, this.#throttle);
      this.#process = this.#subject.start(this.#store);
    }
    await clock.pause(NETWORK_MS / 2);
    return response;
  }
}
