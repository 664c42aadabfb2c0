import { randomInt } from 'node:crypto';
import { setInterval } from 'node:timers/promises';
import {
  contractViolations,
  errorOf,
  type HttpResponse,
  judgeResponse,
} from '../../contract/judge-response.ts';
import { causeOf } from '../../operate/send-http.ts';
import type { RunningService } from '../../tools/verify/running-service.ts';

/** A steady load: the requests per second, and its duration in seconds. */
export interface Load {
  readonly rate: number;
  readonly seconds: number;
}

/** The result of a load. Times are in milliseconds. */
export interface LoadReport {
  readonly sent: number;
  /** The number of responses by error number or, for other responses, by status. */
  readonly numbers: ReadonlyMap<number, number>;
  /** The number of responses with status 200 or 400 that break the contract: whether they stored the plant is unknown. */
  readonly wrong: number;
  /** The number of requests without a response, by cause, such as ECONNRESET. */
  readonly unanswered: ReadonlyMap<string, number>;
  /** The latencies of the requests that got a response, from when each was due. */
  readonly times: readonly number[];
}

/** How often requests that are due are sent, in milliseconds. */
const TICK_MS = 5;

/** Bodies with plants that no earlier run has created, by index: ids in a new range, far from those that people use. */
export function newPlants(): (index: number) => string {
  const firstId = BigInt(randomInt(2 ** 40)) * 1_000_000n;
  return (index) => `{"id":${firstId + BigInt(index)},"name":"Load ${index}","tag":"load"}`;
}

/**
 * Creates plants at a steady rate, each with a different id, without waiting for earlier responses. A request's latency
 * starts when it is due, so that the latencies include the delays of a service that stalls.
 *
 * Why not autocannon: it sends each second's requests in one burst, counts some that were never sent, and checks no TLS
 * certificate, so that anyone could intercept the token.
 * @param plants the body of each request, by its index
 * @param onProgress called often, with the number of sent and of requests that got a response
 */
export async function runLoad(
  service: RunningService,
  plants: (index: number) => string,
  { rate, seconds }: Load,
  onProgress: (sent: number, responses: number) => void,
): Promise<LoadReport> {
  const numbers = new Map<number, number>();
  const unanswered = new Map<string, number>();
  const times: number[] = [];
  const waiting: Promise<void>[] = [];
  let wrong = 0;
  const startedAt = performance.now();
  const sendOne = async (index: number) => {
    const due = startedAt + (index / rate) * 1000;
    try {
      const plant = plants(index);
      const result = resultOf(await service.sendOnce(service.post(plant)), plant);
      if (result === undefined) wrong += 1;
      else count(numbers, result);
      times.push(performance.now() - due);
    } catch (error) {
      count(unanswered, causeOf(error));
    }
  };
  for await (const _ of setInterval(TICK_MS)) {
    const elapsed = (performance.now() - startedAt) / 1000;
    while (waiting.length < Math.min(elapsed, seconds) * rate) waiting.push(sendOne(waiting.length));
    onProgress(waiting.length, times.length);
    if (elapsed >= seconds) break;
  }
  await Promise.all(waiting);
  return { sent: waiting.length, numbers, wrong, unanswered, times };
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** @returns 200, an error number, or another status; undefined for a 200 or 400 that breaks the contract */
function resultOf(response: HttpResponse, sent: string): number | undefined {
  const { id: _, ...plant } = JSON.parse(sent);
  if (response.status === 200)
    return judgeResponse(response, { status: 200, plant }).length === 0 ? 200 : undefined;
  if (response.status !== 400) return response.status;
  return contractViolations(response).length === 0 ? errorOf(response) : undefined;
}
