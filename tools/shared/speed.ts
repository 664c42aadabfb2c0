/** The time over which the rate is measured, and the interval between samples, in milliseconds. */
const SPAN_MS = 10_000;
const STEP_MS = 500;

/** Measures the rate of the last seconds, and estimates the time that is left. */
export class Speed {
  readonly #samples: { at: number; bytes: number; lines: number }[] = [];

  /**
   * @param bytes how many bytes are done
   * @param lines how many lines are done
   * @param total how many bytes there are; undefined if unknown
   * @returns a short text, such as `812/s, 3 min left`
   */
  words(bytes: number, lines: number, total: number | undefined): string {
    const at = performance.now();
    if (at - (this.#samples.at(-1)?.at ?? -Infinity) >= STEP_MS) this.#samples.push({ at, bytes, lines });
    while (at - (this.#samples[1]?.at ?? at) >= SPAN_MS) this.#samples.shift();
    const first = this.#samples[0] ?? { at, bytes, lines };
    const seconds = (at - first.at) / 1000;
    if (seconds < STEP_MS / 1000) return '';
    const rate = `${Math.round((lines - first.lines) / seconds)}/s`;
    const left = ((total ?? Infinity) - bytes) / ((bytes - first.bytes) / seconds);
    return Number.isFinite(left) ? `${rate}, ${duration(left)} left` : rate;
  }
}

/** A time in words, such as `45 s`, `3 min` or `2 h 5 min`. */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
