import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Behaviour, refusal, startScriptedService } from '../client/scripted-service.ts';
import { type Ended, startTool } from '../support/local-process.ts';
import { mustEnd } from '../support/must-end.ts';
import { expectRefusal, runTool } from './run-tool.ts';

/** A token with a valid format and checksum, which no service has issued. */
const TOKEN = `plants_${'0'.repeat(43)}3HnMlu`;

/** The answer to the first plant, which is sent before the load too. */
const STORED = { status: 200, body: '{"name":"Load 0","tag":"load"}' };
const HTML = { 'content-type': 'text/html' };
/** One answer of each kind; five did not come from a Plant Store. */
const EVERY_KIND: Behaviour[] = [
  STORED,
  ...[40102, 42901, 50001, 50301, 50401].map((error) => refusal(error)),
  { status: 403, body: '' },
  { status: 200, body: '<html>Log in</html>', headers: HTML },
  // The plant without its tag.
  { status: 200, body: '{"name":"Load 8"}' },
  STORED,
  { status: 400, body: '{"error":"40901","message":"Taken."}' },
  { status: 400, body: '{"error":40901,"message":"Taken."}', headers: HTML },
  'reset',
];

/** Sends a plant for each of these answers, one after the other. */
async function loadInto(answers: Behaviour[], options: string[] = []) {
  const service = await startScriptedService(STORED, ...answers);
  const args = ['--url', service.url, '--rate', `${answers.length}`, '--seconds', '1', '--connections', '1'];
  const ended = await runTool('load', [...args, ...options], { input: TOKEN });
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
const failed = async (ended: Promise<Ended>) => expect.fail(`npm run load ended: ${(await ended).err}`);

describe.concurrent('npm run load', () => {
  test('its own service ends with it, even after SIGKILL', async () => {
    const args = ['--rate', '1', '--seconds', '600'];
    const { child, output, ended } = startTool('load', args);
    while (!output().includes('\n')) await Promise.race([once(child.stdout, 'data'), failed(ended)]);
    const [, url = ''] = /^Sending 600 plants to (http:\S+), 1 per second$/m.exec(output()) ?? [];
    expect(await isThere(url)).toBe(true);
    child.kill('SIGKILL');
    const gone = async () => {
      while (await isThere(url)) await pause(100);
    };
    await mustEnd(gone(), () => `the service at ${url}, which npm run load started`);
  });

  test.each([
    [[], 'error 40102: 1, error 42901: 1, error 50001: 1, error 50301: 1, error 50401: 1'],
    [['--allow-overload'], 'error 40102: 1, error 50001: 1'],
  ])('with %j it counts every kind of answer, and names the problems', async (options, errors) => {
    const { code, out, err } = await loadInto(EVERY_KIND, options);
    expect(rowsOf(out).slice(1, 11)).toEqual([
      'sent 13',
      'answered 200 1',
      'answered 403 1',
      'error 40102 1',
      'error 42901 1',
      'error 50001 1',
      'error 50301 1',
      'error 50401 1',
      'unreadable 5',
      'no answer 1',
    ]);
    expect(rowsOf(out)).toContainEqual(expect.stringMatching(/^latency p99\.9 [\d.]+ ms$/));
    expect(err).toBe(
      `Some plants were not created (answered 403: 1, ${errors}). Some answers did not come from a Plant Store (5); check the address. Some requests got no answer (ECONNRESET: 1).\n`,
    );
    expect(code).toBe(1);
  });

  test('answers that an expected overload causes are no problem', async () => {
    const overload = [42901, 50301, 50401].map((error) => refusal(error));
    expect(await loadInto(overload, ['--allow-overload'])).toMatchObject({ code: 0, err: '' });
  });

  test('without an answer there is no latency', async () => {
    const { out, err } = await loadInto(['reset']);
    expect(rowsOf(out)).toContain('latency p50 -');
    expect(err).toBe('Some requests got no answer (ECONNRESET: 1).\n');
  });

  test('it sends nothing if the service does not accept a plant', async () => {
    const message = 'http://127.0.0.1:9 cannot be reached (ECONNREFUSED).';
    const args = ['--url', 'http://127.0.0.1:9'];
    await expectRefusal('load', args, { code: 1, message }, { input: TOKEN });
  });

  test.each<[string[], 1 | 2, string]>([
    [['--rate', '2001'], 2, '--rate must be a whole number from 1 to 2000'],
    [['--connections', '0'], 2, '--connections must be a whole number from 1 to 1000'],
    [['--seconds', '1e9'], 2, '--seconds must be a whole number from 1 to 600'],
    [['--url', 'http://127.0.0.1:9', `--token=${TOKEN}`], 2, "Unknown option '--token'"],
  ])('%j is refused in one line, with exit code %i', (args, code, message) =>
    expectRefusal('load', args, { code, message }, { input: TOKEN }),
  );
});
