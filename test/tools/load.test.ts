import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/local-process.ts';
import { runTool } from './run-tool.ts';

/** Of the right form and with the right checksum, which was worked out by hand: no service has issued it. */
const TOKEN = `plants_${'0'.repeat(43)}3HnMlu`;
const numberIn = (output: string, name: string) =>
  Number(new RegExp(`^ *${name} +(\\d+)`, 'm').exec(output)?.[1]);

/** Whether a connection to a port of this machine is accepted. */
function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

describe('npm run load', () => {
  test('sends what it was asked to, to a service of its own, and accounts for every request', async () => {
    const plot = path.join(temporaryFolder(), 'load.svg');
    const { code, out } = await runTool('load', ['--rate', '40', '--seconds', '2', '--plot', plot]);
    expect(out).toContain('80 plants to http://localhost:');
    expect(numberIn(out, 'sent')).toBe(80);
    // On a busy machine some are answered with 50401; none may be lost.
    const counts = [...out.matchAll(/^ *(?:\d+|no answer) +(\d+)$/gm)].map(([, count]) => Number(count));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(80);
    expect(numberIn(out, '200')).toBeGreaterThan(0);
    expect(out).toMatch(/p99\.9 +[\d.]+ ms/);
    expect(code).toBe(0);
    expect(readFileSync(plot, 'utf8')).toMatch(/^<svg .*<title>Latency<\/title>.*p99.*<\/svg>\n$/s);
  });

  test('the service that it has started ends with it, even when it is killed', async () => {
    const plot = path.join(temporaryFolder(), 'load.svg');
    const words = ['--rate', '1', '--seconds', '600', '--plot', plot];
    const load = spawn(process.execPath, ['tools/load.ts', ...words], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let out = '';
    for await (const text of load.stdout.setEncoding('utf8')) {
      out += text;
      if (out.includes('\n')) break;
    }
    const port = Number(/localhost:(\d+)/.exec(out)?.[1]);
    expect(await isListening(port)).toBe(true);
    load.kill('SIGKILL');
    // The test's own time limit ends this where the service stays.
    while (await isListening(port)) await pause(100);
  });

  /** Answers the first request with a plant, and ends the connection of every other one. */
  async function startFailing(first: number, body: string): Promise<{ url: string; close: () => void }> {
    let requests = 0;
    const server = createServer((request, response) => {
      requests += 1;
      if (requests > 1) return void request.socket.destroy();
      request.resume();
      response.writeHead(first, { 'content-type': 'application/json' }).end(body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
  }

  test('counts what is not answered, says why, and exits with 1', async () => {
    const service = await startFailing(200, '{"name":"Load 0","tag":"load"}');
    const few = ['--rate', '10', '--seconds', '1', '--plot', path.join(temporaryFolder(), 'load.svg')];
    const { code, out, err } = await runTool('load', ['--url', service.url, ...few], { input: TOKEN });
    service.close();
    expect(numberIn(out, 'no answer')).toBe(10);
    expect(out).toMatch(/^ *p50 +-$/m);
    expect(err).toBe('Some requests got no answer (ECONNRESET: 10).\n');
    expect(code).toBe(1);
  });

  test.each([
    [400, '{"error":40102,"message":"No."}', 'refuses the access token (40102)'],
    [404, '<html>', 'is not a Plant Store: it answers 404, application/json.'],
    [400, '{"error":50301,"message":"No."}', 'does not accept a valid plant (50301)'],
  ])('sends nothing more when the first answer is %i %s', async (status, body, sentence) => {
    const service = await startFailing(status, body);
    const plot = path.join(temporaryFolder(), 'load.svg');
    const { code, out, err } = await runTool('load', ['--url', service.url, '--plot', plot], {
      input: TOKEN,
    });
    service.close();
    expect(err).toContain(`${service.url} ${sentence}`);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(out).toBe('');
    expect(existsSync(plot)).toBe(false);
    expect(code).toBe(1);
  });

  test('says so when nobody listens', async () => {
    const { code, out, err } = await runTool('load', ['--url', 'http://127.0.0.1:9'], { input: TOKEN });
    expect({ code, out, err }).toEqual({
      code: 1,
      out: '',
      err: 'http://127.0.0.1:9 cannot be reached (ECONNREFUSED).\n',
    });
  });

  test('says so when the plot cannot be written, before the load', async () => {
    const plot = path.join(temporaryFolder(), 'none', 'load.svg');
    const { code, out, err } = await runTool('load', ['--plot', plot]);
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: `${plot} cannot be written to (ENOENT).\n` });
  });

  test.each([
    [['--rate', '2001'], '--rate must be a whole number from 1 to 2000'],
    [['--seconds', '1e9'], '--seconds must be a whole number from 1 to 600'],
    [['--url', 'localhost:3000'], '--url must be an address such as http://localhost:3000'],
    [['--url', 'http://localhost:9', `--token=${TOKEN}`], 'There is no option --token: give the token in'],
  ])('%j is explained in one line that repeats no token, with exit code 2', async (args, sentence) => {
    const { code, out, err } = await runTool('load', args);
    expect(err).toContain(sentence);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(out + err).not.toContain('plants_0');
    expect(code).toBe(2);
  });
});
