/** `npm run lab -- growth`: how the CPU time of a request grows with its body and with the tokens in use. */
import { writeFileSync } from 'node:fs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createPlantHandler } from '../../lambda/create-plant.ts';
import { formatToken } from '../../lambda/request/token-format.ts';
import { AccessTokenTable } from '../../lambda/store/access-token-table.ts';
import { runCommand, table } from '../../terminal/command-line.ts';
import { plantEvent } from '../../test/support/test-service.ts';
import { plotSvg, type Series } from '../plot.ts';
import { BODY_KINDS, bodyOf } from './bodies.ts';

const KIB = 1024;
const SIZES = [0.1, 1, 16, 64, 256, 512, 768, 1024].map((kib) => Math.floor(kib * KIB));
/** The kinds in the chart: the reference, and the most expensive kinds. */
const DRAWN = ['plain', 'white space', 'numbers', 'properties'];
const TOKENS = [1, 10, 100, 300, 600, 1_000];
/** The fastest round counts, because other load on the machine only adds time. */
const ROUNDS = 7;

await runCommand(
  {
    usage: 'npm run lab -- growth [--plot FILE]',
    about:
      'Measures the CPU time of a request by the size of its body, and of a look-up by the tokens in use.',
    options: { plot: { value: 'FILE', about: 'file for a plot of the CPU time', default: 'growth.svg' } },
  },
  async ({ plot }) => measure(plot),
);

async function measure(plot: string): Promise<void> {
  const bodies = await growthByBody();
  const labels = { title: 'CPU of a request by the size of its body', x: 'KiB', y: 'ms' };
  const drawn = bodies.filter(({ name }) => DRAWN.includes(name));
  writeFileSync(plot, plotSvg(labels, drawn));
  const most = bodies.map(({ name, points }) => ({ name, ms: points.at(-1)?.[1] ?? 0 }));
  const plain = most[0]?.ms ?? 0;
  const rows = most
    .sort((a, b) => b.ms - a.ms)
    .map(({ name, ms }) => [name, `${ms.toFixed(1)} ms at 1 MiB`, `${(ms / plain).toFixed(1)} of plain`]);
  console.info(table(rows, 'lrr'));
  for (const [tokens, ms] of await growthByTokens())
    console.info(`${tokens} tokens in use: ${(ms * 1000).toFixed(1)} µs for each look-up`);
  console.info(`Plot: ${plot}`);
}

async function growthByBody(): Promise<Series[]> {
  const token = formatToken(Buffer.alloc(32, 1));
  const handler = createPlantHandler({
    accessTokens: { find: async () => 'growth' },
    plants: { create: async () => 'created' },
    writeLog: () => undefined,
  });
  const series: Series[] = [];
  for (const name of BODY_KINDS) {
    const points: [number, number][] = [];
    for (const size of SIZES) {
      const event = plantEvent(token, bodyOf(name, size));
      const repeats = Math.max(2, Math.ceil((256 * KIB) / size));
      points.push([size / KIB, await cpuOf(repeats, () => handler(event, {}))]);
    }
    series.push({ name, points });
  }
  return series;
}

async function growthByTokens(): Promise<[number, number][]> {
  const item = { Item: { name: 'growth', expires: 4_000_000_000 } };
  const client = { send: async () => item } as unknown as DynamoDBDocumentClient;
  const { signal } = new AbortController();
  const points: [number, number][] = [];
  for (const count of TOKENS) {
    const accessTokens = new AccessTokenTable(client, 'AccessTokens');
    const tokens = Array.from({ length: count }, (_, n) => formatToken(Buffer.alloc(32, `token ${n}`)));
    for (const token of tokens) await accessTokens.find(token, signal);
    let next = 0;
    const lookUp = () => accessTokens.find(tokens[next++ % count] ?? '', signal);
    points.push([count, await cpuOf(5_000, lookUp)]);
  }
  return points;
}

/** The CPU time of one repetition in the fastest round. @returns milliseconds */
async function cpuOf(repeats: number, work: () => Promise<unknown>): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = process.cpuUsage();
    for (let done = 0; done < repeats; done += 1) await work();
    const { user, system } = process.cpuUsage(start);
    rounds.push((user + system) / 1000 / repeats);
  }
  return Math.min(...rounds);
}
