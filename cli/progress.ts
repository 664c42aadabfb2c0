import { redraw } from './print.ts';

/** The shortest time between redraws, in milliseconds; more redraws would only flicker. */
const REDRAW_MS = 50;

/**
 * A line of a terminal that shows how far the work is. If standard error is not a terminal, as in a pipe or in CI, nothing is written.
 * @returns a function: call it with what makes the text, such as `12 lines`, or without arguments to remove the line. Most
 * texts are not shown, and are not made
 */
export function progressLine(): (textNow?: () => string) => void {
  if (!process.stderr.isTTY) return () => undefined;
  let drawnAt = -Infinity;
  return (textNow) => {
    if (textNow === undefined) return redraw('');
    if (performance.now() - drawnAt < REDRAW_MS) return;
    drawnAt = performance.now();
    // A line that wraps cannot be removed. A terminal without a size reports 0.
    redraw(textNow().slice(0, (process.stderr.columns || 80) - 1));
  };
}
