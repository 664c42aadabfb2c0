import http from 'node:http';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { loadCases } from '../../contract/cases.ts';
import { listen } from '../../test/support/listen.ts';
import { type Check, runChecks } from './check.ts';
import { checksFor } from './run.ts';
import { RunningService } from './running-service.ts';

/** Runs checks against a service that responds to everything with 200. @returns also what they send */
async function run(checks: readonly Check[]) {
  const sent: { url: string; headers: http.IncomingHttpHeaders; body: Buffer }[] = [];
  const server = http.createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    sent.push({ url: request.url ?? '', headers: request.headers, body });
    response.end('{"name":"Fern"}');
  });
  const client = new RunningService(await listen(server), `plants_${'0'.repeat(49)}`);
  const results = await runChecks(checks, client, () => undefined);
  client.close();
  server.close();
  return { sent, results };
}

const CHECKS = checksFor({ write: true, everyId: true });
const isLarge = ({ rule }: Check) => rule.endsWith('MB is refused as too large');
/** Runs all checks but those whose bodies are only whitespace. */
const runSmall = (everyId: boolean) =>
  run(checksFor({ write: true, everyId }).filter((check) => !isLarge(check)));
const first = await runSmall(true);

test('npm run verify tests its own plant first, with each text changed alone', async () => {
  const { sent } = await run(CHECKS.filter(({ group }) => group === 'the verify plant'));
  const plant = '{"id":-4611686018427387904,"name":"Verify","tag":"npm run verify"}';
  const others = [
    '{"id":-4611686018427387904,"name":"Other","tag":"npm run verify"}',
    '{"id":-4611686018427387904,"name":"Verify","tag":"other"}',
    '{"id":-4611686018427387904,"name":"Verify"}',
  ];
  const expected = [plant, plant, ...others.flatMap((other) => [other, plant])];
  expect(sent.map(({ body }) => body.toString())).toEqual(expected);
  expect(sent[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    authorization: `Bearer plants_${'0'.repeat(49)}`,
  });
});

test('npm run verify sends bodies of 2 to 11 MB', async () => {
  const { sent } = await run(CHECKS.filter(isLarge));
  const sizes = [2_097_152, 4_718_592, 5_242_880, 9_961_472, 11_534_336];
  expect(sent.map(({ body }) => body.length)).toEqual(sizes);
});

test('a second run of npm run verify -- --write adds only the plants of its two races', async () => {
  const second = await runSmall(true);
  const known = new Set(first.sent.map(({ body }) => body.toString('latin1')));
  const added = second.sent.map(({ body }) => body).filter((body) => !known.has(body.toString('latin1')));
  expect(new Set(added.map((body) => JSON.parse(body.toString()).id)).size).toBe(2);
});

test('npm run verify leaves out what only the function can be asked', () => {
  const others = loadCases().filter(({ only }) => only === 'handler');
  expect(others.map(({ name }) => name)).toContain('a CORS preflight is not an operation');
  for (const { name } of others) expect(CHECKS.map(({ rule }) => rule)).not.toContain(name);
});

describe('where the stage is protected, npm run verify -- --write uses no id of somebody', () => {
  const FIRST = -(2n ** 62n);
  /** As a double, which is exact enough. */
  const isReserved = (id: string) => Number(id) >= Number(FIRST) && Number(id) < Number(FIRST + 2n ** 40n);

  /** What a careless service makes of a body: it unpacks it, decodes it, and takes the first number after the word id. */
  function carelessId(body: Buffer): string | undefined {
    const plain = body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body) : body;
    const text = plain.toString().replaceAll('\0', '').replaceAll('\\u0069', 'i').replaceAll('\\u0064', 'd');
    return /\bid\b[^\p{L}\p{Nd}]*?(-?\p{Nd}[\p{Nd}.eE+-]*)/u.exec(text)?.[1];
  }

  const usedIds = ({ sent }: typeof first) =>
    sent.flatMap(({ url, body }) => {
      const query = new URL(url, 'http://any').searchParams.get('id');
      return [query, carelessId(body)].filter((id) => id !== null && id !== undefined);
    });

  test('not even if the service unpacks, decodes and accepts everything', async () => {
    const run = await runSmall(false);
    const used = usedIds(run);
    const notJudged = run.results.filter(({ verdict }) => verdict === 'not judged');
    expect(used.length).toBeGreaterThan(300);
    expect(used.filter((id) => !isReserved(id))).toEqual([]);
    expect(notJudged.length).toBeLessThan(80);
    expect(new Set(notJudged.flatMap(({ reasons }) => reasons))).toEqual(
      new Set([
        'its id is outside the reserved range, so it is judged only where the stage is not protected',
        'its id cannot be moved into the reserved range; other cases test similar ids',
        ...['expired', 'revoked'].map((kind) => `this run has no ${kind} token`),
      ]),
    );
  });

  test('elsewhere the limits of int64 are used too, and ids that a double cannot represent', () => {
    const limits = ['9223372036854775807', '9223372036854775806', '-9223372036854775808'];
    const noDoubles = ['9007199254740992', '9007199254740993', '-9007199254740993'];
    expect(usedIds(first)).toEqual(expect.arrayContaining([...limits, ...noDoubles]));
  });
});
