import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Behavior, startScriptedService } from '../../client/test/scripted-service.ts';
import { withChecksum } from '../../contract/placeholders.ts';
import { isExhaustive } from '../../test/support/exhaustive.ts';
import { startCommand } from '../../test/support/local-process.ts';
import { mustEnd } from '../../test/support/must-end.ts';
import { npmRun } from '../../test/support/run-command.ts';

/** A token with a valid format and checksum, which no service has issued. */
const TOKEN = withChecksum(`plants_${'0'.repeat(43)}`);
const ALWAYS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'x-request-id': 'r' };

/** A response as the contract has it. */
const response = (status: number, body: object, headers: Record<string, string> = {}): Behavior => {
  return { status, body: JSON.stringify(body), headers: { ...ALWAYS, ...headers } };
};
const error = (number: number, headers?: Record<string, string>) =>
  response(400, { error: number, message: 'A sentence.' }, headers);
/** The response to the first plant, which is sent before the load too. */
const STORED = response(200, { name: 'Load 0', tag: 'load' });
/** One response of each kind; four break the contract. */
const EVERY_KIND: Behavior[] = [
  STORED,
  error(50001),
  error(42901, { 'retry-after': '1' }),
  { status: 403, body: '' },
  { status: 200, body: '<html>Log in</html>', headers: { 'content-type': 'text/html' } },
  // The plant without its tag.
  response(200, { name: 'Load 5' }),
  // Another plant.
  STORED,
  { status: 400, body: '{"error":40901,"message":"Without the headers."}' },
  'reset',
];

/** Sends a plant for each of these responses, one after the other. @returns also the report, with one space between its parts */
async function loadInto(responses: Behavior[]) {
  const service = await startScriptedService(STORED, ...responses);
  const args = [
    '--url',
    service.url,
    '--seconds',
    '1',
    '--rate',
    `${responses.length}`,
    '--connections',
    '1',
  ];
  const ended = await npmRun('../lab/run', ['load', ...args], { input: TOKEN });
  await service.close();
  return { ...ended, rows: ended.out.split('\n').map((line) => line.trim().replace(/ +/g, ' ')) };
}

describe.runIf(isExhaustive('tests of the load trial')).concurrent('npm run lab -- load', () => {
  test('its own service ends with it, even after SIGKILL', async () => {
    const { child, output } = startCommand('../lab/run', ['load', '--rate', '1', '--seconds', '600']);
    while (!output().includes('\n')) await once(child.stdout, 'data');
    const [, url = ''] = /^Sending 600 plants to (http:\S+), 1 per second$/m.exec(output()) ?? [];
    const isThere = () => fetch(url).then(Boolean, () => false);
    expect(await isThere()).toBe(true);
    child.kill('SIGKILL');
    const gone = async () => {
      while (await isThere()) await pause(100);
    };
    await mustEnd(gone(), () => `the service at ${url}, which npm run lab -- load started`);
  });

  test('it counts every kind of response, and names the problems', async () => {
    const { code, rows, err } = await loadInto(EVERY_KIND);
    const counts = ['returned 200 1', 'returned 403 1', 'error 42901 1', 'error 50001 1', 'wrong 4'];
    expect(rows.slice(1, 8)).toEqual(['sent 9', ...counts, 'no response 1']);
    expect(rows).toContainEqual(expect.stringMatching(/^latency p99\.9 [\d.]+ ms$/));
    expect(err).toBe(
      'Some plants were not created (returned 403: 1, error 42901: 1, error 50001: 1). Some responses break the contract (4); npm run verify says how. Some requests got no response (ECONNRESET: 1).\n',
    );
    expect(code).toBe(1);
  });

  test('without a response there is no latency', async () => {
    const { rows, err } = await loadInto(['reset']);
    expect(rows).toContain('latency p50 -');
    expect(err).toBe('Some requests got no response (ECONNRESET: 1).\n');
  });
});
