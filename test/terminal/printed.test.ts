import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { oneLine, print, redraw, visible } from '../../terminal/print.ts';
import { sendHttp } from '../../tools/service/send-http.ts';
import { is, type Reply, startAws } from '../support/aws-stand-in.ts';
import { listen } from '../support/listen.ts';
import { startTool, temporaryFolder } from '../support/local-process.ts';
import { expectRefusal, runTool } from '../tools/run-tool.ts';

/** What a terminal would obey: a window title, a cleared screen, C1's own CSI, a reversed line, and others. */
const HOSTILE =
  '\u001b]0;x\u0007\u001b[2J\u009b31m\u202eback\u2066\u200f\u061c\u0000\b\t\r\u007f\u0085\u2028end';
/** Latin-1 only, as in a header. */
const HOSTILE_HEADER = 'text/\u009b31m';
/** All that a terminal may obey, written as in ECMA-48 and UAX #9. Output is compared as it left the process. */
const OBEYED =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
/** A token with a valid format and checksum, which no service has issued. */
const TOKEN = `plants_${'0'.repeat(43)}3HnMlu`;

/** Expects that the hostile text was printed, nothing of it as it was, and no line of its own. */
function expectShown(printed: string, shown = '\\u009b31m'): void {
  expect(printed).toContain(shown);
  expect(OBEYED.exec(printed)).toBeNull();
  expect(printed).not.toMatch(/^forged/m);
}

/** A service whose first responses are right, and all others as given. */
async function startService(status: number, body: string, { right = 0, type = 'application/json' } = {}) {
  let requests = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      requests += 1;
      const isRight = requests <= right;
      response.writeHead(isRight ? 200 : status, { 'content-type': type });
      response.end(isRight ? '{"name":"Verify","tag":"npm run verify"}' : body);
    });
  });
  return { url: await listen(server), close: () => server.close() };
}

/** The body of an error whose message tries to be a line of its own. */
const FORGED = JSON.stringify({ error: 50001, message: `${HOSTILE}\nforged 9` });

// Each way from outside to the terminal once: every command prints by the module below, and words an error of AWS by one function.
describe.concurrent('control characters from outside are shown as escapes', () => {
  const plants = () => {
    const file = path.join(temporaryFolder(), 'a.csv');
    writeFileSync(file, 'id,name\n1,Fern\n');
    return file;
  };
  test.each<[string, () => string[], Parameters<typeof startService>]>([
    ['verify', () => [], [404, '', { type: HOSTILE_HEADER }]],
    ['verify', () => [], [400, FORGED, { right: 1, type: HOSTILE_HEADER }]],
    ['import', () => [plants()], [400, FORGED]],
  ])('%s, from a response: case %#', async (tool, args, response) => {
    const { url, close } = await startService(...response);
    const env = { PLANT_STORE_TOKEN: TOKEN };
    const { code, out, err } = await runTool(tool, [...args(), '--url', url], { env });
    close();
    expectShown(out + err);
    expect(code).toBe(1);
  });

  test.each<[string, string[]]>([
    ['doctor', ['--stage', 'prod']],
    ['rollback', ['--stage', 'prod', '--yes']],
  ])('%s, from an error of AWS', async (tool, args) => {
    const failure: Reply = { error: { code: 'Failure', message: `${HOSTILE}\nforged 9`, status: 400 } };
    const aws = await startAws({ GetCallerIdentity: failure, DescribeStacks: failure });
    const { code, out, err } = await runTool(tool, args, { env: aws.env });
    aws.close();
    expectShown(out + err);
    expect(code).toBe(1);
  });

  test('guard, from a template', async () => {
    const folder = temporaryFolder();
    const id = `T\u009b31m\u001b[2J\nPlantStore-dev: nothing would be lost`;
    const template = { Resources: { [id]: { Type: 'AWS::DynamoDB::Table' } } };
    writeFileSync(path.join(folder, 'deployed.json'), JSON.stringify(template));
    writeFileSync(path.join(folder, 'PlantStore-dev.template.json'), '{"Resources":{}}');
    const args = ['--stage', 'dev', '--app', folder, '--template', path.join(folder, 'deployed.json')];
    const { code, out, err } = await runTool('guard', args);
    expectShown(out + err);
    expect(out).not.toMatch(/^PlantStore-dev: nothing/m);
    expect(code).toBe(1);
  });

  test('start, from the name of its data folder, and from what a store returns', async () => {
    const store = await startAws({
      CreateTable: is({}),
      DescribeTable: is({ Table: { TableStatus: 'ACTIVE' } }),
      Scan: is({ Items: [] }),
      PutItem: is({}),
      GetItem: { error: { code: 'Failure\u009b31m', message: HOSTILE } },
    });
    const env = { ...store.env, AWS_ENDPOINT_URL_DYNAMODB: store.env.AWS_ENDPOINT_URL };
    const data = path.join(temporaryFolder(), 'a\u009b32m\u001b[2J');
    const { child, output, ended } = startTool('start', ['--port', '0', '--data', data], { env });
    while (!output().includes('Stop it')) await once(child.stdout, 'data');
    const [url = ''] = /http:\/\/[\w.]+:\d+/.exec(output()) ?? [];
    const [token = ''] = /plants_\w+/.exec(output()) ?? [];
    await sendHttp(url, { headers: [['authorization', `Bearer ${token}`]], body: '{"id":1,"name":"Fern"}' });
    child.kill();
    const { out, err } = await ended;
    store.close();
    expectShown(out + err, 'a\\u009b32m\\u001b[2J');
    expectShown(out + err);
  });
});

describe('the module that prints', () => {
  afterEach(() => void vi.restoreAllMocks());

  test('replaces each control character but the line break by its JSON escape', () => {
    expect(visible('a\u001b[31m\u009b\u007f\u202e\nä🌱')).toBe('a\\u001b[31m\\u009b\\u007f\\u202e\nä🌱');
    expect(JSON.parse(visible(JSON.stringify({ a: HOSTILE })))).toEqual({ a: HOSTILE });
    for (let code = 0; code <= 0xffff; code += 1) {
      const character = String.fromCharCode(code);
      expect(visible(character) === character, `U+${code.toString(16)}`).toBe(!OBEYED.test(character));
    }
  });

  test.each(['\n', '\r\n', '\u0085', '\u2028', '\u2029', '\v', '\f', ' \n\n '])(
    '%j does not start a line',
    (end) => {
      expect(oneLine(`a${end}b`)).toBe('a b');
    },
  );

  test('puts a long text on one line in a time that grows with its length', () => {
    const text = ' '.repeat(200_000);
    const start = performance.now();
    expect(oneLine(`${text}a\n${text}b`)).toBe(`${text}a b`);
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  test.each([
    [true, {}, '\u001b[31mproblem\u001b[39m  \\u001b[31m'],
    [false, { FORCE_COLOR: '1' }, 'problem  \\u001b[31m'],
  ])('colours own words in a terminal only: %j %j', (isTTY, env, expected) => {
    const unset = { FORCE_COLOR: undefined, NO_COLOR: undefined, CI: undefined, TERM: 'xterm' };
    for (const [name, value] of Object.entries({ ...unset, ...env })) vi.stubEnv(name, value);
    const before = Object.getOwnPropertyDescriptor(process.stdout, 'isTTY');
    Object.defineProperty(process.stdout, 'isTTY', { value: isTTY, configurable: true });
    const info = vi.spyOn(console, 'info').mockImplementation(() => undefined);
    print('problem  \u001b[31m', { red: /^problem/ });
    Object.defineProperty(process.stdout, 'isTTY', before ?? { value: undefined, configurable: true });
    vi.unstubAllEnvs();
    expect(info.mock.calls).toEqual([[expected]]);
  });

  test('a redrawn line stays one line', () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    redraw('1/2  a\u009b\nb');
    expect(write.mock.calls).toEqual([['\r\u001b[2K1/2  a\\u009b b']]);
  });

  test('no other module of terminal/, tools/, local/ and infra/ writes to the terminal', () => {
    const root = path.join(import.meta.dirname, '../..');
    const files = ['terminal', 'tools', 'local', 'infra'].flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        (file) => `${folder}/${file}`,
      ),
    );
    const writers = files.filter(
      (file) =>
        file.endsWith('.ts') &&
        /console\.(?!aws)\w+\(|\bstd(out|err)\b\S*\.write\(/.test(
          readFileSync(path.join(root, file), 'utf8'),
        ),
    );
    expect(writers.sort()).toEqual([
      // The function's log line; the next one prints it.
      'local/gateway.ts',
      'local/lambda-runtime.ts',
      'terminal/print.ts',
    ]);
  });
});

test('without a Region, a command says what to set', async () => {
  const nothing = { AWS_PROFILE: undefined, AWS_REGION: undefined, AWS_DEFAULT_REGION: undefined };
  const files = { AWS_CONFIG_FILE: '/nonexistent', AWS_SHARED_CREDENTIALS_FILE: '/nonexistent' };
  const env = { ...nothing, ...files };
  const message = /^The .+: Region is missing; set AWS_REGION\.\n$/;
  await expectRefusal('verify', ['--stage', 'prod'], { code: 1, message }, { env });
});
