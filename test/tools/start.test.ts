import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendHttp } from '../../tools/verify/send-http.ts';
import { runToEnd, startLocalProcess, temporaryFolder } from '../support/local-process.ts';
import { storedItem } from '../support/test-service.ts';

describe('npm start', () => {
  test('what it prints can be pasted: the curl command’s request is answered with the plant', async () => {
    const server = await startLocalProcess(temporaryFolder());
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

  test('it goes on serving when nobody reads what it prints, and prints no stack trace', async () => {
    const server = await startLocalProcess(temporaryFolder());
    server.closeOutput();
    const headers: [string, string][] = [['authorization', `Bearer ${server.token}`]];
    for (const id of [1, 2, 3]) {
      const answer = await sendHttp(server.url, { headers, body: `{"id":${id},"name":"Fern"}` });
      expect(answer).toMatchObject({ status: 200, body: '{"name":"Fern"}' });
    }
    expect(await server.end('SIGTERM')).toBe(0);
    expect(server.output()).toMatch(/Stop it with Ctrl-C\.\n\n$/);
  });

  test('only the origins of --allow-origin are allowed, whatever the environment says', async () => {
    const env = { ALLOWED_ORIGINS: 'https://a.example' };
    const options = ['--allow-origin', 'https://b.example', '--allow-origin', 'https://c.example'];
    for (const [args, expected] of [
      [[], [undefined, undefined, undefined]],
      [options, [undefined, 'https://b.example', 'https://c.example']],
    ] as const) {
      const server = await startLocalProcess(temporaryFolder(), { args, env });
      const found = [];
      for (const origin of ['https://a.example', 'https://b.example', 'https://c.example']) {
        const { headers } = await sendHttp(server.url, { headers: [['origin', origin]] });
        found.push(headers['access-control-allow-origin']);
      }
      expect(found).toEqual(expected);
      expect(await server.end('SIGTERM')).toBe(0);
    }
  });

  test('every plant that was answered with 200 is there after kill -9, and the token still works', async () => {
    const data = temporaryFolder();
    const first = await startLocalProcess(data);
    const headers: [string, string][] = [['authorization', `Bearer ${first.token}`]];
    const ids = Array.from({ length: 30 }, (_, n) => String(9007199254740993n + BigInt(n)));
    const answers = await Promise.all(
      ids.map((id) => sendHttp(first.url, { headers, body: `{"id":${id},"name":"Fern ${id}"}` })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await first.end('SIGKILL')).toBe('SIGKILL');

    const second = await startLocalProcess(data);
    expect(second.token).toBe(first.token);
    const { endpoint, credentials } = second;
    const client = new DynamoDBClient({ endpoint, region: 'local', credentials });
    for (const id of ids) expect(await storedItem(client, id)).toEqual({ id, name: `Fern ${id}` });
    expect(await sendHttp(second.url, { headers, body: `{"id":${ids[0]},"name":"Moss"}` })).toMatchObject({
      status: 400,
      body: expect.stringContaining('40901'),
    });
    client.destroy();
    expect(await second.end('SIGTERM')).toBe(0);
  });
});

describe('npm start that cannot start says why in one line', () => {
  let taken: ReturnType<typeof createServer>;
  let port = 0;
  beforeAll(async () => {
    taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    port = (taken.address() as AddressInfo).port;
  });
  afterAll(() => taken.close());

  const file = path.join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  test.each([
    ['a port that is taken', () => ['--memory', '--port', String(port)], /^Port \d+ is in use; .+\n$/],
    [
      'a data folder that is a file',
      () => ['--data', file],
      /^The data folder .+ cannot be written to \(ENOTDIR\)\.\n$/,
    ],
    ['a data folder where nothing can be made', () => ['--data', '/proc/plants'], /^The data folder .+\n$/],
  ])('%s: exit code 1', async (_, args, message) => {
    const { code, output } = await runToEnd(args());
    expect(output).toMatch(message);
    expect(code).toBe(1);
  });

  test.each([
    ['a port that is out of range', ['--port', '65536'], '--port must be a whole number from 0 to 65535.'],
    ['an unknown option', ['--prot', '1'], "Unknown option '--prot'; --help shows the options."],
    ['an option without its value', ['--port'], "Option '--port <value>' argument missing; --help shows"],
    [
      'an argument too many',
      ['8080'],
      'An argument does not belong to any option; --help shows the options.',
    ],
    [
      'an origin with a slash at its end',
      [
        '--memory',
        '--port',
        '0',
        '--allow-origin',
        'http://localhost',
        '--allow-origin',
        'http://localhost/',
      ],
      '--allow-origin cannot be "http://localhost/"; it must be an origin as browsers send it, such as',
    ],
    ['a folder and none', ['--memory', '--data', file], '--memory keeps nothing, so it cannot be used'],
  ])('%s: exit code 2', async (_, args, message) => {
    const { code, output } = await runToEnd(args);
    expect(output).toContain(message);
    expect(output.trim().split('\n')).toHaveLength(1);
    expect(code).toBe(2);
  });

  test('a data folder that another process uses', async () => {
    const data = temporaryFolder();
    const server = await startLocalProcess(data);
    const { code, output } = await runToEnd(['--port', '0', '--data', data]);
    expect(output).toMatch(/^The data folder .+ is in use by another process; .+\n$/);
    expect(code).toBe(1);
    await server.end('SIGTERM');
  });
});

test.each(['--help', '-h'])('npm start -- %s shows every option and starts nothing', async (option) => {
  const { code, output } = await runToEnd([option]);
  expect(output).toMatch(/^Usage:\n {2}npm start -- .+\n/);
  for (const name of ['--port N', '--data DIR', '--memory', '--allow-origin ORIGIN', '-h, --help'])
    expect(output).toContain(name);
  expect(output).not.toContain('is ready');
  expect(code).toBe(0);
});
