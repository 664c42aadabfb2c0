/**
 * Limits how many requests are in flight: additive increase, multiplicative decrease, as TCP does (RFC 5681 §3.1). It starts
 * with one request. Until the first decrease each answer adds one; later each round of answers does.
 */
export class Pace {
  #limit = 1;
  #inFlight = 0;
  #decreases = 0;
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];

  /** @param most the most requests that may be in flight */
  constructor(most: number) {
    this.#most = most;
  }

  /** How many requests may be in flight now. */
  get limit(): number {
    return Math.floor(this.#limit);
  }

  /**
   * Waits until a request may be sent.
   * @param isRepeat repeated requests take precedence over new ones
   * @returns the ticket of this request, for {@link slower}
   */
  async enter(isRepeat = false): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (isRepeat) this.#waiting.unshift(resolve);
    else this.#waiting.push(resolve);
    this.#admit();
    await promise;
    return this.#decreases;
  }

  /** Reports that a request is no longer in flight. */
  leave(): void {
    this.#inFlight -= 1;
    this.#admit();
  }

  /** Reports that a request was answered. */
  faster(): void {
    const step = this.#decreases === 0 ? 1 : 1 / this.#limit;
    this.#limit = Math.min(this.#most, this.#limit + step);
    this.#admit();
  }

  /** Reports that a request was throttled. Requests that were sent before a decrease do not cause another one. */
  slower(ticket: number): void {
    if (ticket !== this.#decreases) return;
    this.#decreases += 1;
    this.#limit = Math.max(1, this.#limit / 2);
  }

  #admit(): void {
    while (this.#inFlight < this.limit) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#inFlight += 1;
      next();
    }
  }
}
