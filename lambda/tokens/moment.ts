/** A moment by two clocks, in milliseconds: the first can be set back, the second may stop while a Lambda process is frozen. */
export interface Moment {
  readonly now: number;
  readonly elapsed: number;
}

/** The present moment. */
export const moment = (): Moment => ({ now: Date.now(), elapsed: process.uptime() * 1000 });

/** Whether a moment was less than some milliseconds ago, by both clocks. One in the future, as after the clock was set back, was not. */
export function isWithin(ms: number, since: Moment): boolean {
  const { now, elapsed } = moment();
  const byClock = now - since.now;
  return byClock >= 0 && Math.max(byClock, elapsed - since.elapsed) < ms;
}
