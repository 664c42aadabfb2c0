import { styleText } from 'node:util';

const BAR = 30;
/** The shortest time between redraws, in milliseconds; more redraws would only flicker. */
const REDRAW_MS = 50;

/**
 * A progress bar on one line of a terminal. If the stream is not a terminal, as in a pipe or in CI, nothing is written.
 * @returns a function: call it with the progress and a short text, or without arguments to remove the bar
 */
export function progressBar(
  total: number,
  stream: NodeJS.WriteStream = process.stderr,
): (done?: number, words?: string) => void {
  if (!stream.isTTY) return () => undefined;
  let drawnAt = -Infinity;
  return (done, words = '') => {
    if (done === undefined) return void stream.write('\r\u001b[2K');
    if (performance.now() - drawnAt < REDRAW_MS) return;
    drawnAt = performance.now();
    const filled = Math.min(BAR, Math.round((BAR * done) / total));
    const bar = styleText('green', '█'.repeat(filled), { stream }) + '░'.repeat(BAR - filled);
    const count = `${String(done).padStart(String(total).length)}/${total}`;
    // A line that wraps cannot be removed. A terminal without a size reports 0.
    const room = Math.max(0, (stream.columns || 80) - BAR - count.length - 5);
    stream.write(`\r\u001b[2K${bar}  ${count}  ${words.slice(0, room)}`);
  };
}
