import { startLocalProcess, temporaryFolder } from '../../test/support/local-process.ts';
import { replayed, transcripts } from '../../tools/documents/transcripts.ts';

const ROW = 20;
const MARGIN = 16;

/** How many seconds later a line appears than the one before, by what it is. */
const PAUSES = { command: 1, comment: 1, output: 0.5, more: 0 };

/** What a terminal shows of `npm start`, and of the requests of the README in another one. */
export async function record(): Promise<string> {
  const data = temporaryFolder();
  const service = await startLocalProcess(data);
  const welcome = service
    .output()
    .replaceAll(data, '.plant-store')
    .replaceAll(service.url, 'http://127.0.0.1:3000')
    .replaceAll(service.token, 'plants_…');
  const [requests = ''] = transcripts('README.md');
  const printed = await replayed(requests, service);
  await service.end();
  return `$ npm start\n\n${welcome.trim()}\n\n# in another terminal\n${printed.trim()}`;
}

/** An SVG in which the lines of a recording appear one after the other. Without animation it shows all of them. */
export function drawn(recording: string): string {
  const lines = recording.split('\n');
  let seconds = 0;
  let style = 'output';
  const texts = lines.map((line, row) => {
    const kind = kindOf(line, lines[row - 1]);
    if (row > 0) seconds += PAUSES[kind];
    if (kind !== 'more') style = kind;
    if (line === '') return '';
    const text = line.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const y = MARGIN + ROW * (row + 0.75);
    return `  <text class="${style}" x="${MARGIN}" y="${y}" style="animation-delay:${seconds}s">${text}</text>\n`;
  });
  const size = `0 0 820 ${lines.length * ROW + 2 * MARGIN}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${size}" role="img" xml:space="preserve">
  <title>npm start, and the requests of the README</title>
  <style>
    rect { fill: #161b22 }
    text { fill: #c9d1d9; font: 14px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; white-space: pre;
      animation: appear 0.2s both }
    .command { fill: #7ee787 } .comment { fill: #8b949e }
    @keyframes appear { from { opacity: 0 } }
    @media (prefers-reduced-motion: reduce) { text { animation: none } }
  </style>
  <rect width="100%" height="100%" rx="8"/>
${texts.join('')}</svg>
`;
}

/** `more` appears together with the line before it. */
function kindOf(line: string, before = ''): keyof typeof PAUSES {
  if (line.startsWith('$ ')) return 'command';
  if (line.startsWith('# ')) return 'comment';
  return before.startsWith('$ ') && !before.endsWith('\\') ? 'output' : 'more';
}
