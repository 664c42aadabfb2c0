import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/local-process.ts';

const LOAD = new URL('../../tools/load.ts', import.meta.url).pathname;
const run = (...args: string[]) => promisify(execFile)(process.execPath, [LOAD, ...args]);
const numberIn = (output: string, name: string) =>
  Number(new RegExp(`^ *${name} +(\\d+)`, 'm').exec(output)?.[1]);

describe('npm run load', () => {
  test('sends what it was asked to, to a service of its own, and accounts for every request', async () => {
    const plot = path.join(temporaryFolder(), 'load.svg');
    const { stdout } = await run('--rate', '40', '--seconds', '2', '--plot', plot);
    expect(stdout).toContain('80 plants to http://localhost:');
    expect(numberIn(stdout, 'sent')).toBe(80);
    expect(numberIn(stdout, '200')).toBe(80);
    expect(numberIn(stdout, 'no answer')).toBe(0);
    expect(stdout).toMatch(/p99\.9 +[\d.]+ ms/);
    expect(readFileSync(plot, 'utf8')).toMatch(/^<svg .*<title>Latency: .*p99.*<\/svg>\n$/s);
  });

  test('counts what nobody answers, and what is refused', async () => {
    const plot = path.join(temporaryFolder(), 'load.svg');
    const few = ['--token', 'none', '--rate', '10', '--seconds', '1', '--plot', plot];
    expect(numberIn((await run('--url', 'http://127.0.0.1:9', ...few)).stdout, 'no answer')).toBe(10);
  });

  test.each([
    [['--rate', '2001'], '--rate must be a whole number from 1 to 2000'],
    [['--seconds', '1e9'], '--seconds must be a whole number from 1 to 600'],
    [['--url', 'http://localhost:9'], '--url needs --token'],
  ])('%s is explained in a line', async (args, sentence) => {
    await expect(run(...args)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) });
  });
});
