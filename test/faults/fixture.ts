import { expect } from 'vitest';
import { bodyOf, WHOLE } from '../../contract/examples.ts';
import { contractViolations } from '../../contract/judge-response.ts';
import type { HttpResponse } from '../../contract/send-http.ts';
import { Clock } from '../support/clock.ts';
import { startBundle } from '../support/function-under-test.ts';
import { ScriptedStore } from '../support/scripted-store.ts';
import type { StoredItem } from '../support/stored-item.ts';
import { plantEvent, type TestService } from '../support/test-service.ts';

/** In milliseconds of the function's clock: the maximum time under any fault. */
const TIME_LIMIT_MS = 6_000;

/** Words that only the store, the SDK or the platform use. */
const AWS_WORDS = /aws|amazon|dynamo|\barn\b|exception|throughput|authori[sz]ed|credential|econn/i;

let lastId = 7_000_000;

/** Sets up a function with its own clock and scripted store, over a shared real store, and one plant to create. */
export async function startFixture(service: TestService) {
  const clock = new Clock();
  const proxy = await ScriptedStore.start({ store: service.store.endpoint, clock });
  const { connect, handler, lines } = await startBundle(proxy.endpoint, clock);
  const id = String(++lastId);
  const plant: StoredItem = { id, ...WHOLE };
  return {
    proxy,
    plant,
    /** What the function has logged. */
    lines,
    item: () => service.item(id),
    /** Connects as INIT does. @returns how long it took, in milliseconds of the function's clock */
    connect: async () => {
      const startedAt = clock.now;
      return connect().then(() => clock.now - startedAt);
    },
    /**
     * Sends the plant, or another body, and checks what must be true of every response: the contract, the time, a matching line
     * of the log, and nothing secret in either.
     * @returns 200, or the error's number
     */
    send: async (body = bodyOf(id, WHOLE)): Promise<number> => {
      const startedAt = clock.now;
      const response = await handler(plantEvent(service.token, body));
      expect(clock.now - startedAt).toBeLessThan(TIME_LIMIT_MS);
      const judged = { ...response, status: response.statusCode } as unknown as HttpResponse;
      expect(contractViolations(judged)).toEqual([]);
      const number: number = response.statusCode === 200 ? 200 : JSON.parse(response.body).error;
      if (number !== 200) expect(response.body).not.toMatch(AWS_WORDS);
      const line = lines.at(-1);
      expect(line?.error ?? 200).toBe(number);
      expect(JSON.stringify(line)).not.toMatch(/arn:aws|authorized|123456789012|plants_/);
      return number;
    },
  };
}
