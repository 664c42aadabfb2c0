import { styleText } from 'node:util';

const BAR = 30;

/**
 * A progress bar on one line of a terminal; nothing at all where the stream is none, such as in a pipe or in CI.
 * @returns what to call with the number that is done, and a word on what comes next; without any, the bar goes away
 */
export function progressBar(
  total: number,
  stream: NodeJS.WriteStream = process.stderr,
): (done?: number, next?: string) => void {
  if (!stream.isTTY) return () => undefined;
  return (done, next = '') => {
    if (done === undefined) return void stream.write('\r\u001b[2K');
    const filled = Math.round((BAR * done) / total);
    const bar = styleText('green', '█'.repeat(filled), { stream }) + '░'.repeat(BAR - filled);
    const count = `${String(done).padStart(String(total).length)}/${total}`;
    // Long names would wrap, and a wrapped line cannot be taken back.
    const room = Math.max(0, stream.columns - BAR - count.length - 4);
    stream.write(`\r\u001b[2K${bar}  ${count}  ${next.slice(0, room)}`);
  };
}
