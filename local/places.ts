/** Someone who waits for a place. */
interface Waiting {
  readonly isGone: () => boolean;
  /** @param hasPlace false if it has gone away */
  readonly end: (hasPlace: boolean) => void;
}

/** A limited number of places for work in progress; who finds none free waits in line. */
export class Places {
  #waiting: Waiting[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** How many wait for a place, without those who have gone away. */
  countWaiting(): number {
    const { gone = [], here = [] } = Object.groupBy(this.#waiting, ({ isGone }) =>
      isGone() ? 'gone' : 'here',
    );
    this.#waiting = here;
    for (const { end } of gone) end(false);
    return this.#waiting.length;
  }

  /**
   * Waits for a place, first come, first served.
   * @param isGone whether the place is no longer wanted; such ones are passed over
   * @returns a function that gives the place back, once; undefined if it was no longer wanted
   */
  async take(isGone: () => boolean): Promise<(() => void) | undefined> {
    if (this.#free > 0) this.#free -= 1;
    else if (!(await new Promise<boolean>((end) => this.#waiting.push({ isGone, end })))) return undefined;
    let isHeld = true;
    return () => {
      if (isHeld) this.#giveBack();
      isHeld = false;
    };
  }

  #giveBack(): void {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      const isGone = next.isGone();
      next.end(!isGone);
      if (!isGone) return;
    }
    this.#free += 1;
  }
}
