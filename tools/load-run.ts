import { randomInt } from 'node:crypto';
import { setInterval } from 'node:timers/promises';
import { resultOf } from './load-answer.ts';
import { causeOf } from './verify/send-http.ts';
import type { Service } from './verify/service.ts';

/** A steady load: the requests per second, and its duration in seconds. */
export interface Load {
  readonly rate: number;
  readonly seconds: number;
}

/** The result of a load. Times are in milliseconds. */
export interface LoadReport {
  readonly sent: number;
  /** The number of answers by error number or, for other answers, by status. */
  readonly numbers: ReadonlyMap<number, number>;
  /** The number of answers with status 200 or 400 that the service cannot have sent: whether they stored the plant is unknown. */
  readonly unreadable: number;
  /** The number of requests without an answer, by cause, such as ECONNRESET. */
  readonly unanswered: ReadonlyMap<string, number>;
  /** The latencies, by the second in which the request was due. */
  readonly bySecond: readonly (readonly number[])[];
}

/** How often requests that are due are sent, in milliseconds. */
const TICK_MS = 5;

/** Bodies with plants that no earlier run has created, by index: ids in a new range, far from those that people use. */
export function newPlants(): (index: number) => string {
  const firstId = BigInt(randomInt(2 ** 40)) * 1_000_000n;
  return (index) => `{"id":${firstId + BigInt(index)},"name":"Load ${index}","tag":"load"}`;
}

/**
 * Creates plants at a steady rate, each with a different id, without waiting for earlier answers. A request's latency
 * starts when it is due, so that the latencies include the delays of a service that stalls.
 *
 * Why not autocannon: it sends each second's requests in one burst, counts some that were never sent, and checks no TLS
 * certificate, so that anyone could intercept the token.
 * @param plants the body of each request, by its index
 * @param onProgress called often, with the number of sent and of answered requests
 */
export async function runLoad(
  service: Service,
  plants: (index: number) => string,
  { rate, seconds }: Load,
  onProgress: (sent: number, answered: number) => void,
): Promise<LoadReport> {
  const numbers = new Map<number, number>();
  const unanswered = new Map<string, number>();
  const bySecond: number[][] = Array.from({ length: seconds }, () => []);
  const waiting: Promise<void>[] = [];
  let unreadable = 0;
  let answered = 0;
  const startedAt = performance.now();
  const sendOne = async (index: number) => {
    const due = startedAt + (index / rate) * 1000;
    try {
      const plant = plants(index);
      const result = resultOf(await service.sendOnce(service.post(plant)), plant);
      if (result === undefined) unreadable += 1;
      else count(numbers, result);
      bySecond[Math.floor(index / rate)]?.push(performance.now() - due);
      answered += 1;
    } catch (error) {
      count(unanswered, causeOf(error));
    }
  };
  for await (const _ of setInterval(TICK_MS)) {
    const elapsed = (performance.now() - startedAt) / 1000;
    while (waiting.length < Math.min(elapsed, seconds) * rate) waiting.push(sendOne(waiting.length));
    onProgress(waiting.length, answered);
    if (elapsed >= seconds) break;
  }
  await Promise.all(waiting);
  return { sent: waiting.length, numbers, unreadable, unanswered, bySecond };
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
