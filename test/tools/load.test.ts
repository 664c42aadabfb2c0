import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { listen } from '../support/listen.ts';
import { type Ended, startTool } from '../support/local-process.ts';
import { mustEnd } from '../support/must-end.ts';
import { expectRefusal, runTool } from './run-tool.ts';

/** A token with a valid format and checksum, which no service has issued. */
const TOKEN = `plants_${'0'.repeat(43)}3HnMlu`;
const numberIn = (output: string, name: string) =>
  Number(new RegExp(`^ *${name} +(\\d+)`, 'm').exec(output)?.[1]);

/** Whether there is a service at an address. */
const isThere = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );

/** A command that ends too early. */
const failed = async (ended: Promise<Ended>) => expect.fail(`npm run load ended: ${(await ended).err}`);

describe.concurrent('npm run load', () => {
  test('it sends the requested number of plants to its own service, and counts every answer', async () => {
    const { code, out } = await runTool('load', ['--rate', '40', '--seconds', '2']);
    expect(out).toContain('Sending 80 plants to http://127.0.0.1:');
    expect(numberIn(out, 'sent')).toBe(80);
    expect(numberIn(out, 'answered 200')).toBe(80);
    expect(numberIn(out, 'no answer')).toBe(0);
    expect(out).toMatch(/p99\.9 +[\d.]+ ms/);
    expect(code).toBe(0);
  });

  test('its own service ends with it, even after SIGKILL', async () => {
    const args = ['--rate', '1', '--seconds', '600'];
    const { child, output, ended } = startTool('load', args);
    while (!output().includes('\n')) await Promise.race([once(child.stdout, 'data'), failed(ended)]);
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(output()) ?? [];
    expect(await isThere(url)).toBe(true);
    child.kill('SIGKILL');
    const gone = async () => {
      while (await isThere(url)) await pause(100);
    };
    await mustEnd(gone(), () => `the service at ${url}, which npm run load started`);
  });

  test('it counts requests without an answer, names the cause, and exits with 1', async () => {
    let requests = 0;
    const server = createServer((request, response) => {
      requests += 1;
      if (requests > 1) return void request.socket.destroy();
      const answer = '{"name":"Load 0","tag":"load"}';
      request.resume().on('end', () => response.setHeader('content-type', 'application/json').end(answer));
    });
    const args = ['--url', await listen(server), '--rate', '10', '--seconds', '1'];
    const { code, out, err } = await runTool('load', args, { input: TOKEN });
    server.close();
    expect(numberIn(out, 'no answer')).toBe(10);
    expect(out).toMatch(/^ *latency p50 +-$/m);
    expect(err).toBe('Some requests got no answer (ECONNRESET: 10).\n');
    expect(code).toBe(1);
  });

  test.each<[what: string, answer: number, options: string[], code: number, message: string]>([
    ['throttled answers', 42901, [], 1, 'Some plants were not created (error 42901: 10).\n'],
    ['faults', 50301, [], 1, 'Some plants were not created (error 50301: 10).\n'],
    ['expected throttled answers', 42901, ['--allow-overload'], 0, ''],
    ['expected answers without capacity', 50301, ['--allow-overload'], 0, ''],
    ['expected answers in no time', 50401, ['--allow-overload'], 0, ''],
    ['a bug', 50001, ['--allow-overload'], 1, 'Some plants were not created (error 50001: 10).\n'],
    ['a refusal', 40102, ['--allow-overload'], 1, 'Some plants were not created (error 40102: 10).\n'],
  ])('after %s (%i) with %j it exits with %i', async (_, error, options, code, message) => {
    let requests = 0;
    const server = createServer((request, response) => {
      requests += 1;
      const isFirst = requests === 1;
      request.resume().on('end', () => {
        response.writeHead(isFirst ? 200 : 400, { 'content-type': 'application/json' });
        response.end(isFirst ? '{"name":"Load 0","tag":"load"}' : JSON.stringify({ error, message: 'x' }));
      });
    });
    const args = ['--url', await listen(server), '--rate', '10', '--seconds', '1'];
    const ended = await runTool('load', [...args, ...options], { input: TOKEN });
    server.close();
    expect(numberIn(ended.out, `error ${error}`)).toBe(10);
    expect(ended.err).toBe(message);
    expect(ended.code).toBe(code);
  });

  const json = 'application/json';
  test.each<[string, number, string, string]>([
    ['a web page', 200, 'text/html', '<html>Log in</html>'],
    ['another plant', 200, json, '{"name":"Fern"}'],
    ['the first plant again', 200, json, '{"name":"Load 0","tag":"load"}'],
    ['an error in a string', 400, json, '{"error":"\u001b[31m","message":"Red."}'],
    ['an Error as HTML', 400, 'text/html', '{"error":40901,"message":"Taken."}'],
  ])('it counts %s with status %i as unreadable, and exits with 1', async (_, status, type, body) => {
    let isFirst = true;
    const server = createServer(async (request, response) => {
      const own = JSON.parse(await text(request));
      if (isFirst) response.writeHead(200, { 'content-type': json }).end(JSON.stringify(own));
      else response.writeHead(status, { 'content-type': type }).end(body);
      isFirst = false;
    });
    const args = ['--url', await listen(server), '--rate', '10', '--seconds', '1'];
    const { code, out, err } = await runTool('load', args, { input: TOKEN });
    server.close();
    // Load 0 is sent twice: as the first request, and in the load.
    const stored = body.includes('Load 0') ? 1 : 0;
    expect([numberIn(out, 'answered 200') || 0, numberIn(out, 'unreadable')]).toEqual([stored, 10 - stored]);
    expect(err).toBe(`Some answers did not come from a Plant Store (${10 - stored}); check the address.\n`);
    expect(code).toBe(1);
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
