/**
 * Draws the README's picture: starts the service, sends four requests with curl, and writes the terminal's content as
 * an SVG to standard output. `npm run picture` runs it.
 */
import { execFileSync } from 'node:child_process';
import { print } from '../infra/terminal.ts';
import { startOwnServer } from './own-server.ts';
import { escaped } from './plot.ts';
import { welcome } from './serve.ts';

/** One request of the picture: its body, and the comment above it. */
const REQUESTS = [
  { comment: 'Create a plant.', body: '{"id": 1, "name": "Fern", "tag": "shade"}' },
  { comment: 'The same request again: safe.', body: '{"id": 1, "name": "Fern", "tag": "shade"}' },
  { comment: 'Another plant under the same id: nothing is overwritten.', body: '{"id": 1, "name": "Rose"}' },
  { comment: 'The largest int64 plus one.', body: '{"id": 9223372036854775808, "name": "Oak"}' },
];
const FONT_SIZE = 13;
const CHARACTER_WIDTH = FONT_SIZE * 0.602;
const LINE_HEIGHT = 19;
const COLUMNS = 104;

const { url, token, process: service } = await startOwnServer();
const [ready = ''] = welcome(url, token, undefined).split('Create a plant:');
const lines = ['$ npm ci && npm start -- --memory', ...ready.split('\n')];
for (const { comment, body } of REQUESTS) {
  const args = [`${url}/plants`, '--silent', '--json', body, '--header', '@-'];
  // The token is passed on standard input: `ps` shows command lines to everyone on the machine.
  const answer = execFileSync('curl', args, { input: `Authorization: Bearer ${token}`, encoding: 'utf8' });
  const command = `$ curl ${url}/plants -H 'Authorization: Bearer ${token}' \\`;
  lines.push(`# ${comment}`, command, `    --json '${body}'`, answer.trim(), '');
}
service.kill();
print(
  drawn(lines.map((line) => line.replaceAll(token, 'plants_…').replaceAll(url, 'http://localhost:3000'))),
);

function drawn(text: string[]): string {
  const width = Math.ceil(COLUMNS * CHARACTER_WIDTH + 40);
  const wrapped = text.flatMap(wrap).slice(0, -1);
  const height = wrapped.length * LINE_HEIGHT + 40;
  const rows = wrapped.map((line, index) => {
    const fill = line.startsWith('#') ? '#8b949e' : line.startsWith('$') ? '#7ee787' : '#e6edf3';
    return `<text x="20" y="${34 + index * LINE_HEIGHT}" fill="${fill}" xml:space="preserve">${escaped(line)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>The first minute with Plant Store, in a terminal</title>
<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="${FONT_SIZE}">
${rows.join('\n')}
</g>
</svg>`;
}

/** Breaks a line at the last column, as a terminal does. */
function wrap(line: string): string[] {
  return line.length <= COLUMNS ? [line] : [line.slice(0, COLUMNS), ...wrap(line.slice(COLUMNS))];
}
