import { redraw } from './print.ts';

const BAR = 30;
/** The shortest time between redraws, in milliseconds; more redraws would only flicker. */
const REDRAW_MS = 50;

/**
 * A progress bar on one line of a terminal. If standard error is not a terminal, as in a pipe or in CI, nothing is written.
 * @param total the progress at the end; if it is unknown, only the progress and the text are shown
 * @param options.isShare whether to show the progress in per cent, for totals such as bytes
 * @param options.prints whether lines are printed meanwhile: in a terminal, the bar would stand in front of them
 * @returns a function: call it with the progress and a short text, or without arguments to remove the bar
 */
export function progressBar(
  total: number | undefined,
  { isShare = false, prints = false } = {},
): (done?: number, words?: string) => void {
  if (!process.stderr.isTTY || (prints && process.stdout.isTTY)) return () => undefined;
  let drawnAt = -Infinity;
  return (done, words = '') => {
    if (done === undefined) return redraw('');
    if (performance.now() - drawnAt < REDRAW_MS) return;
    drawnAt = performance.now();
    // A line that wraps cannot be removed. A terminal without a size reports 0.
    const columns = (process.stderr.columns || 80) - 1;
    if (total === undefined) return redraw(`${done.toLocaleString('en')} ${words}`.slice(0, columns));
    const share = total === 0 ? 1 : Math.min(1, done / total);
    const filled = Math.round(BAR * share);
    const bar = '█'.repeat(filled) + '░'.repeat(BAR - filled);
    const count = isShare
      ? `${Math.floor(100 * share)} %`
      : `${String(done).padStart(String(total).length)}/${total}`;
    const room = Math.max(0, columns - BAR - count.length - 4);
    redraw(`${bar}  ${count}  ${words.slice(0, room)}`, { green: /^█+/ });
  };
}
