import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { sendHttp } from '../../tools/verify/send-http.ts';
import { listen } from '../support/listen.ts';
import { startLocalProcess, temporaryFolder } from '../support/local-process.ts';
import { expectRefusal, runTool } from './run-tool.ts';

describe.concurrent('npm start', () => {
  test('the curl command that it prints creates a plant', async () => {
    const server = await startLocalProcess();
    const command = server.output();
    const headers = [...command.matchAll(/-H '(.+?): (.+?)'/g)].map(([, name, value]) => [name, value]);
    const body = /-d '(.+?)'/.exec(command)?.[1];
    expect(headers).toContainEqual(['Authorization', `Bearer ${server.token}`]);
    // The answer has no line break at its end, so curl writes one.
    expect(command).toContain("-w '\\n'");
    expect(await sendHttp(server.url, { headers: headers as [string, string][], body })).toMatchObject({
      status: 200,
      body: '{"name":"Fern","tag":"shade"}',
    });
    expect(await server.end('SIGINT')).toBe(0);
  });

  test('it continues when its standard output is closed, and prints no stack trace', async () => {
    const server = await startLocalProcess();
    server.closeOutput();
    for (const id of [1, 2, 3]) {
      const answer = await server.post(`{"id":${id},"name":"Fern"}`);
      expect(answer).toMatchObject({ status: 200, body: '{"name":"Fern"}' });
    }
    expect(await server.end()).toBe(0);
    expect(server.output()).toMatch(/Stop it with Ctrl-C\.\n\n$/);
  });

  test('after kill -9 every acknowledged plant is there, and the token still works', async () => {
    const data = temporaryFolder();
    const first = await startLocalProcess(data);
    const ids = Array.from({ length: 30 }, (_, n) => String(9007199254740993n + BigInt(n)));
    const answers = await Promise.all(ids.map((id) => first.post(`{"id":${id},"name":"Fern ${id}"}`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await first.end('SIGKILL')).toBe('SIGKILL');

    const second = await startLocalProcess(data);
    expect(second.token).toBe(first.token);
    for (const id of ids) expect(await second.item(id)).toEqual({ id, name: `Fern ${id}` });
    expect(await second.post(`{"id":${ids[0]},"name":"Moss"}`)).toMatchObject({
      status: 400,
      body: expect.stringContaining('40901'),
    });
    const message = /^The data folder .+ is in use by another process; .+\n$/;
    await expectRefusal('start', ['--port', '0', '--data', data], { code: 1, message });
    expect(await second.end()).toBe(0);
  });

  test('only the origins of --allow-origin are allowed, whatever the environment says', async () => {
    const env = { ALLOWED_ORIGINS: 'https://a.example' };
    const options = ['--allow-origin', 'https://b.example', '--allow-origin', 'https://c.example'];
    for (const [args, expected] of [
      [[], [undefined, undefined, undefined]],
      [options, [undefined, 'https://b.example', 'https://c.example']],
    ] as const) {
      const server = await startLocalProcess(undefined, { args, env });
      const found = [];
      for (const origin of ['https://a.example', 'https://b.example', 'https://c.example']) {
        const { headers } = await sendHttp(server.url, { headers: [['origin', origin]] });
        found.push(headers['access-control-allow-origin']);
      }
      expect(found).toEqual(expected);
      expect(await server.end()).toBe(0);
    }
  });
});

describe.concurrent('npm start that cannot start prints one line', async () => {
  const server = createServer();
  const { port } = new URL(await listen(server));
  afterAll(() => server.close());
  const file = path.join(temporaryFolder(), 'file');
  writeFileSync(file, '');

  test.each<[string, string[], 1 | 2, string | RegExp]>([
    ['a port in use', ['--memory', '--port', port], 1, /^Port \d+ is in use; /],
    [
      'a file as data folder',
      ['--data', file],
      1,
      /^The data folder .+ cannot be written to \(ENOTDIR\)\.\n$/,
    ],
    ['a data folder that cannot be created', ['--data', '/proc/plants'], 1, /^The data folder /],
    ['a port out of range', ['--port', '65536'], 2, '--port must be a whole number from 0 to 65535.'],
    ['an unknown option', ['--prot', '1'], 2, "Unknown option '--prot'; --help shows the options."],
    ['an option without its value', ['--port'], 2, "Option '--port <value>' argument missing; --help shows"],
    ['an argument', ['8080'], 2, 'An argument does not belong to any option; --help shows the options.'],
    [
      'a folder and --memory',
      ['--memory', '--data', file],
      2,
      '--memory keeps nothing, so it cannot be used',
    ],
  ])('%s', (_, args, code, message) => expectRefusal('start', args, { code, message }));
});

test.each(['--help', '-h'])('npm start -- %s shows every option and starts nothing', async (option) => {
  const { code, out } = await runTool('start', [option]);
  expect(out).toMatch(/^Usage:\n {2}npm start -- .+\n/);
  for (const name of ['--port N', '--data DIR', '--memory', '--allow-origin ORIGIN', '-h, --help'])
    expect(out).toContain(name);
  expect(out).not.toContain('is ready');
  expect(code).toBe(0);
});
