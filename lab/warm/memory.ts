import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { formatToken } from '../../lambda/store/token-format.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { print } from '../../terminal/print.ts';
import { startBundle } from '../../test/support/function-under-test.ts';
import { plantEvent } from '../../test/support/test-service.ts';

/** How often the memory is measured. */
export const SAMPLES = 100;
const AT_ONCE = 8;
/** The share of requests after which the process counts as warm: caches full, code compiled. */
const WARM = 0.25;
/** In MiB for each 100,000 requests: less than this does not count as growth. */
const FLAT = 0.5;

/** Memory after so many requests. */
type Point = readonly [thousands: number, mib: number];

/**
 * Sends requests to the deployed bundle, over a store that keeps nothing, and prints the memory after a quarter of them and
 * after all.
 * @param requests at least {@link SAMPLES}
 * @throws PlainError if the heap grows
 */
export async function measureMemory(requests: number): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const store = fork(fileURLToPath(new URL('stub-store-process.ts', import.meta.url)));
  const [endpoint] = await once(store, 'message');
  const { handler, lines } = startBundle(String(endpoint));
  const heap: Point[] = [];
  const rss: Point[] = [];
  for (let done = 0; done < requests; ) {
    const until = done + Math.floor(requests / SAMPLES);
    const worker = async () => {
      while (done < until) await handler(request(done++));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    lines.length = 0;
    collectGarbage();
    const usage = process.memoryUsage();
    heap.push([done / 1000, usage.heapUsed / 2 ** 20]);
    rss.push([done / 1000, usage.rss / 2 ** 20]);
  }
  store.kill();
  report(heap, rss);
}

/** A mix of valid plants, invalid requests and unknown tokens, with more tokens than are cached. */
function request(index: number): object {
  const token = formatToken(Buffer.alloc(32, `token ${index % 1_500}`));
  if (index % 10 === 3) return plantEvent(token, '{"id":1.5,"name":"Fern"}');
  if (index % 10 === 5) return plantEvent(token, `{"id":${index},"name":`);
  if (index % 10 === 7) return plantEvent('plants_unknown', '{"id":1,"name":"Fern"}');
  return plantEvent(token, `{"id":${index},"name":"Fern ${index}","tag":"shade"}`);
}

function report(heap: readonly Point[], rss: readonly Point[]): void {
  const warm = heap.filter((_, index) => index >= heap.length * WARM);
  const growth = slope(warm) * 100;
  const mib = (points: readonly Point[], at: number) => (points.at(at)?.[1] ?? 0).toFixed(1);
  const first = Math.ceil(heap.length * WARM);
  const thousands = Math.round(heap.at(-1)?.[0] ?? 0);
  print(`${thousands},000 requests: heap ${mib(heap, first)} MiB when warm, ${mib(heap, -1)} MiB at the end; RSS ${mib(rss, first)} and ${mib(rss, -1)} MiB
Growth of the heap: ${growth.toFixed(3)} MiB for each 100,000 requests (flat is under ${FLAT})`);
  if (growth > FLAT) throw new PlainError('The process grows.');
}

/** The slope of the regression line. */
function slope(points: readonly Point[]): number {
  const mean = (pick: 0 | 1) => points.reduce((sum, point) => sum + point[pick], 0) / points.length;
  const [mx, my] = [mean(0), mean(1)];
  const top = points.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0);
  return top / points.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
}
