import { randomInt } from 'node:crypto';
import { errorOf } from './verify/judge-answer.ts';
import { causeOf } from './verify/send-http.ts';
import type { Service } from './verify/service.ts';

/** How a load went. Times are in milliseconds. */
export interface LoadReport {
  readonly sent: number;
  /** How often each number was answered: 200, or the error's number. */
  readonly numbers: ReadonlyMap<number, number>;
  /** How many requests got no answer at all, by its cause, such as ECONNRESET. */
  readonly unanswered: ReadonlyMap<string, number>;
  /** The time that each answer took, by the second in which its request was due. */
  readonly bySecond: readonly (readonly number[])[];
}

/** In milliseconds: how often what is due is sent. */
const TICK_MS = 5;

/** A plant that no earlier run has created. */
export interface LoadPlants {
  body(index: number): string;
}

/** Draws ids far from small ones, which people use, in a new range for each run. */
export function newPlants(): LoadPlants {
  const firstId = BigInt(randomInt(2 ** 40)) * 1_000_000n;
  return { body: (index) => `{"id":${firstId + BigInt(index)},"name":"Load ${index}","tag":"load"}` };
}

/**
 * Creates plants at a steady rate, each with an id of its own, whether earlier ones have been answered or not. A request's
 * time runs from when it was due, so a service that stalls cannot hide it by keeping the next ones from being sent.
 *
 * Not by a package: autocannon sends each second's requests in one burst, counts some that were never sent, and checks
 * no TLS certificate, which would hand the token to anyone.
 * @param load.rate requests a second
 * @param onProgress called often, with the number of requests that were sent and of those that were answered
 */
export async function runLoad(
  service: Service,
  plants: LoadPlants,
  { rate, seconds }: { rate: number; seconds: number },
  onProgress: (sent: number, answered: number) => void,
): Promise<LoadReport> {
  const numbers = new Map<number, number>();
  const unanswered = new Map<string, number>();
  const bySecond: number[][] = Array.from({ length: seconds }, () => []);
  const waiting: Promise<void>[] = [];
  let answered = 0;
  const startedAt = performance.now();
  const sendOne = async (index: number) => {
    const due = startedAt + (index / rate) * 1000;
    try {
      const answer = await service.sendOnce(service.post(plants.body(index)));
      count(numbers, errorOf(answer) ?? answer.status);
      bySecond[Math.floor(index / rate)]?.push(performance.now() - due);
      answered += 1;
    } catch (error) {
      count(unanswered, causeOf(error));
    }
  };
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const elapsed = (performance.now() - startedAt) / 1000;
      while (waiting.length < Math.min(elapsed, seconds) * rate) waiting.push(sendOne(waiting.length));
      onProgress(waiting.length, answered);
      if (elapsed < seconds) return;
      clearInterval(timer);
      resolve();
    }, TICK_MS);
  });
  await Promise.all(waiting);
  return { sent: waiting.length, numbers, unanswered, bySecond };
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
