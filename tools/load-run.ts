import { randomInt } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';

/** Where a load goes, how many requests a second, and for how long. */
export interface Load {
  readonly url: string;
  readonly token: string;
  readonly rate: number;
  readonly seconds: number;
}

/** How a load went. Times are in milliseconds. */
export interface LoadReport {
  readonly sent: number;
  /** How often each number was answered: 200, or the error's number. */
  readonly numbers: ReadonlyMap<number, number>;
  /** Requests that got no answer at all: the connection was refused, or it broke. */
  readonly unanswered: number;
  /** The time that each answer took, by the second in which its request was due. */
  readonly bySecond: readonly (readonly number[])[];
}

/** What does not fit on these waits; it waits on the clock, as it would for a client. */
const CONNECTIONS = 50;
/** In milliseconds: how often what is due is sent. */
const TICK_MS = 5;

/**
 * Creates plants at a steady rate, each with an id of its own, whether earlier ones have been answered or not. A request's
 * time runs from when it was due, so a service that stalls cannot hide it by keeping the next ones from being sent.
 *
 * Not by a package: autocannon sends each second's requests in one burst, counts some that were never sent, and checks
 * no TLS certificate, which would hand the token to anyone.
 * @param onProgress called often, with the share of the time that is over, and the answers so far
 */
export async function runLoad(
  load: Load,
  onProgress: (share: number, answered: number) => void,
): Promise<LoadReport> {
  const { rate, seconds } = load;
  const numbers = new Map<number, number>();
  const bySecond: number[][] = Array.from({ length: seconds }, () => []);
  const waiting: Promise<void>[] = [];
  let answered = 0;
  let unanswered = 0;
  const post = poster(load);
  const startedAt = performance.now();
  const sendOne = async (index: number) => {
    const due = startedAt + (index / rate) * 1000;
    try {
      const number = await post(index);
      numbers.set(number, (numbers.get(number) ?? 0) + 1);
      bySecond[Math.floor(index / rate)]?.push(performance.now() - due);
      answered += 1;
    } catch {
      unanswered += 1;
    }
  };
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const elapsed = (performance.now() - startedAt) / 1000;
      while (waiting.length < Math.min(elapsed, seconds) * rate) waiting.push(sendOne(waiting.length));
      onProgress(Math.min(1, elapsed / seconds), answered);
      if (elapsed < seconds) return;
      clearInterval(timer);
      resolve();
    }, TICK_MS);
  });
  await Promise.all(waiting);
  post.end();
  return { sent: waiting.length, numbers, unanswered, bySecond };
}

/** @returns creates one plant; answers 200, the error's number, or the status of what is no answer of the contract */
function poster({ url, token }: Load): { (index: number): Promise<number>; end(): void } {
  const isPlain = url.startsWith('http:');
  const agent = new (isPlain ? http : https).Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  // Far from small ids, which people use, and a new range for each run.
  const firstId = BigInt(randomInt(2 ** 40)) * 1_000_000n;
  const post = (index: number) =>
    new Promise<number>((resolve, reject) => {
      const id = firstId + BigInt(index);
      const options = { method: 'POST', agent, headers, timeout: 30_000 };
      const request = (isPlain ? http : https).request(
        `${url.replace(/\/$/, '')}/plants`,
        options,
        (response) => {
          let body = '';
          response.on('data', (chunk) => {
            body += chunk;
          });
          response.on('error', reject);
          response.on('end', () => resolve(numberOf(response.statusCode ?? 0, body)));
        },
      );
      request.on('timeout', () => request.destroy(new Error('time-out')));
      request.on('error', reject);
      request.end(`{"id":${id},"name":"Load ${id}","tag":"load"}`);
    });
  return Object.assign(post, { end: () => agent.destroy() });
}

function numberOf(status: number, body: string): number {
  if (status !== 400) return status;
  try {
    return (JSON.parse(body) as { error?: number }).error ?? status;
  } catch {
    return status;
  }
}
