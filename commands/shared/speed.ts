/** Measures the rate so far, and estimates the time that is left. */
export class Speed {
  readonly #start = performance.now();

  /** Since it was made. */
  get seconds(): number {
    return (performance.now() - this.#start) / 1000;
  }

  /**
   * @param bytes how many bytes are done
   * @param lines how many lines are done
   * @param total how many bytes there are; undefined if unknown
   * @returns a short text, such as `812/s, 3 min left`
   */
  words(bytes: number, lines: number, total: number | undefined): string {
    const { seconds } = this;
    const left = ((total ?? Infinity) - bytes) / (bytes / seconds);
    const rate = `${Math.round(lines / seconds)}/s`;
    return Number.isFinite(left) ? `${rate}, ${duration(left)} left` : rate;
  }
}

/** A time in words, such as `45 s`, `3 min` or `2 h 5 min`. */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
