import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { bodyOf, LEAST } from '../../contract/examples.ts';
import { temporaryFolder } from '../support/temporary-root.ts';
import { blocksOf } from './documents.ts';

const HTML = '<html>not from the service</html>';
const BODY = bodyOf('9007199254740993');

/** Starts the stub of the page, on a free port, and sends it a request for each word and one more. */
async function responses(...words: string[]) {
  const [stub = ''] = blocksOf('docs/clients.md', 'js');
  const file = path.join(temporaryFolder(), 'stub.mjs');
  writeFileSync(
    file,
    stub.replace('listen(3001,', 'listen(0,').replace("'http://127.0.0.1:3001'", 'server.address().port'),
  );
  const process = spawn('node', [file, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface(process.stdout);
  const [port] = await once(lines, 'line');
  const got: unknown[] = [];
  for (let n = 0; n <= words.length; n += 1) {
    // Only these never end: a slow machine must not end the others.
    const isEndless = ['stalled', 'dripping'].includes(words[n] ?? '');
    const signal = AbortSignal.timeout(isEndless ? 300 : 60_000);
    const attempt = async () => {
      const response = await fetch(`http://127.0.0.1:${port}/plants`, {
        method: 'POST',
        body: BODY,
        signal,
        redirect: 'manual',
      });
      return [response.status, response.headers.get('retry-after'), await response.text()];
    };
    got.push(await attempt().catch(({ name }: Error) => name));
  }
  process.kill();
  return got;
}

test('the stub of docs/clients.md responds as its words say, and then as the last one says', async () => {
  const words = ['50401', '40901', 'lost', 'stalled', 'dripping', '502', '302', 'html', 'other', '200'];
  expect(await responses(...words)).toEqual([
    [400, '2', '{"error":50401,"message":"From the stub."}'],
    [400, null, '{"error":40901,"message":"From the stub."}'],
    'TypeError',
    'TimeoutError',
    'TimeoutError',
    [502, null, HTML],
    [302, null, HTML],
    [200, null, HTML],
    [200, null, JSON.stringify(LEAST).replaceAll(/(?<=:)"[^"]*"/g, '"other"')],
    [200, null, JSON.stringify(LEAST)],
    [200, null, JSON.stringify(LEAST)],
  ]);
});
