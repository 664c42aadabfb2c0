import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Behavior, startScriptedService } from '../../client/test/scripted-service.ts';
import { withChecksum } from '../../contract/placeholders.ts';
import { isExhaustive } from '../../test/support/exhaustive.ts';
import { type Ended, startCommand } from '../../test/support/local-process.ts';
import { mustEnd } from '../../test/support/must-end.ts';
import { expectRefusal, npmRun } from '../../test/support/run-command.ts';

/** A token with a valid format and checksum, which no service has issued. */
const TOKEN = withChecksum(`plants_${'0'.repeat(43)}`);

/** A response as the contract has it. */
const response = (status: number, body: object, headers: Record<string, string> = {}): Behavior => ({
  status,
  body: JSON.stringify(body),
  headers: {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': 'r',
    ...headers,
  },
});
const error = (number: number, headers?: Record<string, string>) =>
  response(400, { error: number, message: 'A sentence.' }, headers);
/** The response to the first plant, which is sent before the load too. */
const STORED = response(200, { name: 'Load 0', tag: 'load' });
const OVERLOAD = [
  error(42901, { 'retry-after': '1' }),
  error(50301, { 'retry-after': '2' }),
  error(50401, { 'retry-after': '2' }),
];
/** One response of each kind; four break the contract. */
const EVERY_KIND: Behavior[] = [
  STORED,
  error(40102, { 'www-authenticate': 'Bearer error="invalid_token"' }),
  error(50001),
  ...OVERLOAD,
  { status: 403, body: '' },
  { status: 200, body: '<html>Log in</html>', headers: { 'content-type': 'text/html' } },
  // The plant without its tag.
  response(200, { name: 'Load 8' }),
  // Another plant.
  STORED,
  { status: 400, body: '{"error":40901,"message":"Without the headers."}' },
  'reset',
];

/** Sends a plant for each of these responses, one after the other. */
async function loadInto(responses: Behavior[], options: string[] = []) {
  const service = await startScriptedService(STORED, ...responses);
  const args = [
    '--url',
    service.url,
    '--rate',
    `${responses.length}`,
    '--seconds',
    '1',
    '--connections',
    '1',
  ];
  const ended = await npmRun('../lab/run', ['load', ...args, ...options], { input: TOKEN });
  await service.close();
  return ended;
}

/** The lines of a report, with one space between their parts. */
const rowsOf = (out: string) => out.split('\n').map((line) => line.trim().replace(/ +/g, ' '));

/** Whether there is a service at an address. */
const isThere = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );

/** A command that ends too early. */
const failed = async (ended: Promise<Ended>) =>
  expect.fail(`npm run lab -- load ended: ${(await ended).err}`);

describe.runIf(isExhaustive('tests of the load trial')).concurrent('npm run lab -- load', () => {
  test('its own service ends with it, even after SIGKILL', async () => {
    const args = ['--rate', '1', '--seconds', '600'];
    const { child, output, ended } = startCommand('../lab/run', ['load', ...args]);
    while (!output().includes('\n')) await Promise.race([once(child.stdout, 'data'), failed(ended)]);
    const [, url = ''] = /^Sending 600 plants to (http:\S+), 1 per second$/m.exec(output()) ?? [];
    expect(await isThere(url)).toBe(true);
    child.kill('SIGKILL');
    const gone = async () => {
      while (await isThere(url)) await pause(100);
    };
    await mustEnd(gone(), () => `the service at ${url}, which npm run lab -- load started`);
  });

  test.each([
    [[], 'error 40102: 1, error 42901: 1, error 50001: 1, error 50301: 1, error 50401: 1'],
    [['--allow-overload'], 'error 40102: 1, error 50001: 1'],
  ])('with %j it counts every kind of response, and names the problems', async (options, errors) => {
    const { code, out, err } = await loadInto(EVERY_KIND, options);
    expect(rowsOf(out).slice(1, 11)).toEqual([
      'sent 12',
      'returned 200 1',
      'returned 403 1',
      'error 40102 1',
      'error 42901 1',
      'error 50001 1',
      'error 50301 1',
      'error 50401 1',
      'wrong 4',
      'no response 1',
    ]);
    expect(rowsOf(out)).toContainEqual(expect.stringMatching(/^latency p99\.9 [\d.]+ ms$/));
    expect(err).toBe(
      `Some plants were not created (returned 403: 1, ${errors}). Some responses break the contract (4); npm run verify says how. Some requests got no response (ECONNRESET: 1).\n`,
    );
    expect(code).toBe(1);
  });

  test('responses that an expected overload causes are no problem', async () => {
    expect(await loadInto(OVERLOAD, ['--allow-overload'])).toMatchObject({ code: 0, err: '' });
  });

  test('without a response there is no latency', async () => {
    const { out, err } = await loadInto(['reset']);
    expect(rowsOf(out)).toContain('latency p50 -');
    expect(err).toBe('Some requests got no response (ECONNRESET: 1).\n');
  });

  test('it sends nothing if the service does not accept a plant', async () => {
    const message = 'http://127.0.0.1:9 cannot be reached (ECONNREFUSED).';
    const args = ['--url', 'http://127.0.0.1:9'];
    await expectRefusal('../lab/run', ['load', ...args], { code: 1, message }, { input: TOKEN });
  });

  test.each<[string[], 1 | 2, string]>([
    [['--rate', '2001'], 2, '--rate must be a whole number from 1 to 2000'],
    [['--connections', '0'], 2, '--connections must be a whole number from 1 to 1000'],
    [['--seconds', '1e9'], 2, '--seconds must be a whole number from 1 to 600'],
    [['--url', 'http://127.0.0.1:9', `--token=${TOKEN}`], 2, "Unknown option '--token'"],
  ])('%j is refused in one line, with exit code %i', (args, code, message) =>
    expectRefusal('../lab/run', ['load', ...args], { code, message }, { input: TOKEN }),
  );
});
