import { execFile, spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import {
  type Behavior,
  FERN,
  HALF,
  refusal,
  startScriptedService,
} from '../../client/test/scripted-service.ts';
import { bodyOf, LEAST } from '../../contract/examples.ts';
import { isThere } from '../support/needs.ts';
import { read } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-root.ts';
import { blocksOf } from './documents.ts';

const hasPython = isThere(spawnSync('python3', ['--version']).status === 0, {
  tests: 'the Python of docs/clients.md',
  why: 'there is no python3 here.',
  required: process.env.CI === 'true',
});

/** For each line, creates a plant with the module of the document, without the pauses, and prints the result and them. */
const PROGRAM = `
import json, os, random, sys, time
from plant_store import PlantStoreError, create_plant

pauses = []
time.sleep = pauses.append
random.uniform = lambda least, most: least
for line in sys.stdin:
    os.environ['BASE_URL'], plant, timeout = json.loads(line)
    pauses.clear()
    try:
        result = create_plant(json.loads(plant), timeout)
    except PlantStoreError as failure:
        result = [failure.error, failure.status, failure.may_be_stored]
    print(json.dumps({'result': result, 'pauses': pauses}), flush=True)
`;

const folder = temporaryFolder();
const BODY = bodyOf('9007199254740993');

const [module = '', use = ''] = blocksOf('docs/clients.md', 'python');
writeFileSync(path.join(folder, 'plant_store.py'), module);
writeFileSync(path.join(folder, 'with_plant_store.py'), use);
writeFileSync(path.join(folder, 'create.py'), PROGRAM);

const optionsFor = (url: string) => ({
  cwd: folder,
  env: { ...process.env, BASE_URL: url, PLANT_STORE_TOKEN: 'plants_abc', PYTHONDONTWRITEBYTECODE: '1' },
});

/** Python writes a space behind each comma and colon. */
const compact = (body: string) => body.replaceAll(/(?<=[:,]) /g, '');
const wait = (seconds: string) => ({ 'retry-after': seconds });
/** As many properties, with other values. */
const OTHER = Object.fromEntries(Object.keys(LEAST).map((name) => [name, null]));
const created = (plant: object): Behavior => ({ status: 200, body: JSON.stringify(plant) });
const foreign = (status: number, headers = {}) => ({ status, body: '<html>', headers });

describe.runIf(hasPython)('the Python of docs/clients.md', () => {
  // One process for all, because each takes longer to start than to create a plant.
  const python = spawn('python3', ['create.py'], { ...optionsFor(''), stdio: ['pipe', 'pipe', 'inherit'] });
  python.on('error', () => undefined);
  afterAll(() => python.kill());
  const results = createInterface(python.stdout)[Symbol.asyncIterator]();
  const create = async (url: string, timeout = 30) => {
    python.stdin.write(`${JSON.stringify([url, BODY, timeout])}\n`);
    return JSON.parse(String((await results.next()).value));
  };

  test.each<[string, Behavior[], result: object | null, pauses: number[]]>([
    ['stores the plant', [FERN], null, []],
    ['repeats 42901', [refusal(42901, wait('3')), FERN], null, [3]],
    ['waits twice as long', [refusal(50401, wait('2')), refusal(50301, wait('2')), FERN], null, [2, 4]],
    ['waits without Retry-After', [refusal(42901), refusal(50301), FERN], null, [1, 4]],
    ['reports 40001', [refusal(40001)], [40001, 400, false], []],
    ['repeats a lost response', ['reset', FERN], null, [2]],
    ['repeats a broken response', [{ ...HALF, ending: 'breaks' }, FERN], null, [2]],
    ['repeats a 200 without a plant', [foreign(200), created([]), created({}), FERN], null, [2, 4, 8]],
    ['repeats a 502 of a proxy', [foreign(502), FERN], null, [2]],
    ['repeats a 429 of a proxy', [foreign(429, wait('tomorrow')), FERN], null, [1]],
    ['reports a 413 of a proxy', [foreign(413)], [41301, 413, false], []],
    ['repeats a 413 with Retry-After, and waits', [foreign(413, wait('0')), FERN], null, [1]],
    ['repeats a 201 of a proxy', [foreign(201), FERN], null, [2]],
    ['repeats a 400 that breaks', [{ ...foreign(400), ending: 'breaks' }, FERN], null, [2]],
    [
      'reads Retry-After of a 400 that breaks',
      [{ ...foreign(400, wait('4')), ending: 'breaks' }, FERN],
      null,
      [4],
    ],
    [
      'reads Retry-After of a 503 that breaks',
      [{ ...foreign(503, wait('4')), ending: 'breaks' }, FERN],
      null,
      [4],
    ],
    ['repeats the response to another plant', [created(OTHER), FERN], null, [2]],
    ['repeats a 400 that lost its body', [foreign(400, wait('2')), FERN], null, [2]],
    ['waits as long as it is told', [foreign(403, wait('9'.repeat(400)))], [40000, 400, false], []],
    ['reports a 400 of a proxy', [foreign(400)], [40000, 400, false], []],
    ['follows no redirect', [foreign(302, { location: '/elsewhere' })], [40000, 400, false], []],
    ['says that the plant may be stored', ['reset', refusal(40102)], [40102, 401, true], [2]],
    ['says that it is not, after 40901', ['reset', refusal(40901)], [40901, 409, false], [2]],
    ['ends after five attempts', [refusal(50401, wait('1'))], [50401, 504, true], [1, 2, 4, 8]],
    ['starts no pause beyond its time', [refusal(50301, wait('31'))], [50301, 503, false], []],
  ])('%s', async (_, script, result, pauses) => {
    const { url, requests, close } = await startScriptedService(...script);
    expect(await create(url)).toEqual({ result, pauses });
    await close();
    const sent = requests.map(({ method, url, headers, body }) => [method, url, headers.authorization, body]);
    const request = ['POST', '/plants', 'Bearer plants_abc', BODY];
    expect(sent.map((each) => [...each.slice(0, 3), compact(String(each[3]))])).toEqual(
      Array(pauses.length + 1).fill(request),
    );
  });

  test('stores the plant of a file, and says so', async () => {
    const { url, requests, close } = await startScriptedService(FERN);
    const running = promisify(execFile)('python3', ['with_plant_store.py'], optionsFor(url));
    running.child.stdin?.end(read('docs/plant.json'));
    expect(await running).toEqual({ stdout: 'stored\n', stderr: '' });
    await close();
    expect(requests.map(({ body }) => compact(body))).toEqual([compact(read('docs/plant.json').trim())]);
  });

  test('ends an attempt whose response never ends', async () => {
    const { url, close } = await startScriptedService({ ...HALF, ending: 'drips' });
    expect(await create(url, 1.5)).toEqual({ result: [50401, 504, true], pauses: [] });
    await close();
  });

  test('says that nothing was stored if there was no connection', async () => {
    const { url, close } = await startScriptedService();
    await close();
    expect(await create(url)).toEqual({ result: [50301, 503, false], pauses: [2, 4, 8, 16] });
  });
});
