import http from 'node:http';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bodyOf, LEAST } from '../../contract/examples.ts';
import { listen } from '../../test/support/listen.ts';
import { runChecks } from './check.ts';
import { movedCase, newId } from './ids.ts';
import { isOwn } from './own-address.ts';
import { checksFor } from './run.ts';
import { RunningService } from './running-service.ts';

/** Runs `npm run verify -- --write` against a service that responds to everything with 200. @returns what it sends */
async function sentWith(everyId: boolean) {
  const sent: { url: string; body: Buffer }[] = [];
  const server = http.createServer(async (request, response) => {
    sent.push({ url: request.url ?? '', body: Buffer.concat(await request.toArray()) });
    response.end(JSON.stringify(LEAST));
  });
  const client = new RunningService(await listen(server), `plants_${'0'.repeat(49)}`);
  // Those of 2 to 11 MB are only whitespace.
  const checks = checksFor({ write: true, everyId }).filter(({ rule }) => !/ MB is refused/.test(rule));
  const results = await runChecks(checks, client, () => undefined);
  client.close();
  server.close();
  return { sent, notJudged: results.filter(({ verdict }) => verdict === 'not judged') };
}

const FIRST = -(2n ** 62n);
/** As a double, which is exact enough. */
const isReserved = (id: string) => Number(id) >= Number(FIRST) && Number(id) < Number(FIRST + 2n ** 40n);

/** What a careless service makes of a body: it unpacks it, decodes it, and takes the first number after the word id. */
function carelessId(body: Buffer): string | undefined {
  const plain = body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body) : body;
  const text = plain.toString().replaceAll('\0', '').replaceAll('\\u0069', 'i').replaceAll('\\u0064', 'd');
  return /\bid\b[^\p{L}\p{Nd}]*?(-?\p{Nd}[\p{Nd}.eE+-]*)/u.exec(text)?.[1];
}

const usedIds = ({ sent }: Awaited<ReturnType<typeof sentWith>>) =>
  sent.flatMap(({ url, body }) => {
    const query = new URL(url, 'http://any').searchParams.get('id');
    return [query, carelessId(body)].filter((id) => id !== null && id !== undefined);
  });

test('where the stage is protected, no id of somebody is used, even if the service unpacks, decodes and accepts everything', async () => {
  const run = await sentWith(false);
  const used = usedIds(run);
  expect(used.length).toBeGreaterThan(300);
  expect(used.filter((id) => !isReserved(id))).toEqual([]);
  expect(run.notJudged.length).toBeLessThan(110);
});

test('elsewhere the limits of int64 are used too, and ids that a double cannot represent', async () => {
  const limits = ['9223372036854775807', '9223372036854775806', '-9223372036854775808'];
  const noDoubles = ['9007199254740992', '9007199254740993', '-9007199254740993'];
  expect(usedIds(await sentWith(true))).toEqual(expect.arrayContaining([...limits, ...noDoubles]));
});

test('the reserved ids are those of docs/commands.md: new ones in the upper half, those of the cases from 2^20', () => {
  const ids = Array.from({ length: 1000 }, newId);
  expect(ids.filter((id) => id > -4611684918915760129n || id <= -4611685468671574017n)).toEqual([]);
  const body = Buffer.from(bodyOf(1000));
  const expected = { status: 400, error: 40901 } as const;
  const { moved } = movedCase({ body, expected, given: [], path: '/plants' } as never);
  expect(String(moved.body)).toBe(bodyOf(-4611686018426338328n));
});

test.each([
  ['http://127.0.0.1:3000', true],
  ['http://[::1]:3000', true],
  ['https://localhost.example.com', false],
  ['https://127.0.0.1.example.com', false],
])('%s may be sent ids outside of the reserved range: %s', (baseUrl, expected) => {
  expect(isOwn(baseUrl)).toBe(expected);
});
