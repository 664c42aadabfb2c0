import { setTimeout as pause } from 'node:timers/promises';
import { claimOf, type Operation } from '../../test/histories/model.ts';
import type { LocalProcess } from '../../test/support/local-process.ts';
import { fingerprint } from '../../test/support/store-in-memory.ts';
import type { Entry } from './ledger.ts';

const WRITERS = 12;
/** One request in this many repeats an earlier plant, and one tries to replace it. */
const REPEAT_EVERY = 10;

/** Clients that create plants continuously, and retry each until they get an answer. */
export class Writers {
  readonly entries = new Map<string, Entry>();
  /** Nothing is sent while it is undefined. */
  service: LocalProcess | undefined;
  requests = 0;
  lost = 0;
  /** Every request, for the check against the model. */
  readonly log: Operation[] = [];
  /** Unexpected answers, such as a conflict with a plant of the same client. */
  readonly wrong: string[] = [];
  #stopped = false;
  readonly #acknowledged: Entry[] = [];
  readonly #all: Promise<void>[];
  readonly #random: () => number;

  /** @param random returns numbers from 0 to less than 1 */
  constructor(random: () => number) {
    this.#random = random;
    this.#all = Array.from({ length: WRITERS }, () => this.#write());
  }

  /** How many plants are acknowledged. */
  get acknowledged(): number {
    return this.#acknowledged.length;
  }

  /** Stops the writers after their current plants. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#all);
  }

  async #write(): Promise<void> {
    while (!this.#stopped) {
      const entry = this.#newEntry();
      await this.#expect(entry, 200);
      entry.acknowledged = true;
      this.#acknowledged.push(entry);
      if (this.entries.size % REPEAT_EVERY !== 0) continue;
      const earlier = this.#acknowledged[Math.floor(this.#random() * this.#acknowledged.length)] as Entry;
      await this.#expect(earlier, 200);
      await this.#expect({ ...earlier, name: `${earlier.name}, another` }, 40901);
    }
  }

  #newEntry(): Entry {
    const id = String(2n ** 62n + BigInt(this.entries.size));
    // Some are small, some span several pages of the store.
    const name = `Fern ${id} ${'🌿'.repeat(Math.floor(this.#random() ** 8 * 3_000))}`;
    const entry = { id, name, ...(this.#random() < 0.5 ? { tag: 'soak' } : {}), acknowledged: false };
    this.entries.set(id, entry);
    return entry;
  }

  /** Sends a plant until there is a final answer, retrying by the error number. */
  async #expect(entry: Entry, expected: number): Promise<void> {
    const { id, name, tag } = entry;
    const plant = fingerprint({ name, tag });
    const body = `{"id":${id},"name":${JSON.stringify(name)}${tag === undefined ? '' : `,"tag":"${tag}"`}}`;
    for (;;) {
      const calledAt = performance.now();
      const number = await this.#send(body);
      const endedAt = number === undefined ? Infinity : performance.now();
      this.log.push({ id, plant, claim: claimOf(number), calledAt, endedAt });
      if (number === expected) return;
      if (number !== undefined && ![42901, 50301, 50401].includes(number)) {
        this.wrong.push(`${number} instead of ${expected} for ${id}`);
        return;
      }
      this.lost += 1;
      await pause(20);
    }
  }

  /** @returns 200, an error's number, or undefined if the connection broke */
  async #send(body: string): Promise<number | undefined> {
    while (!this.service) await pause(5);
    this.requests += 1;
    try {
      const answer = await this.service.post(body);
      return answer.status === 200 ? 200 : JSON.parse(answer.body).error;
    } catch {
      return undefined;
    }
  }
}
