import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { bodyOf, LEAST, TEXT, WHOLE } from '../../contract/examples.ts';
import type { LocalProcess } from '../../test/support/local-process.ts';
import { fingerprint } from '../../test/support/store-in-memory.ts';
import { type StoredItem, storedItems } from '../../test/support/stored-item.ts';
import { claimOf, type Operation } from '../histories/model.ts';

const WRITERS = 12;
/** One request in this many repeats an earlier plant, and one tries to replace it. */
const REPEAT_EVERY = 10;

/** Clients that create plants continuously, and retry each until they get a response. */
export class Writers {
  /** The plants that got 200. */
  readonly acknowledged: StoredItem[] = [];
  /** Nothing is sent while it is undefined. */
  service: LocalProcess | undefined;
  requests = 0;
  lost = 0;
  /** Of all audits: acknowledged plants that were not there as they were sent, and others that were there. */
  readonly found = { lost: 0, unacknowledged: 0 };
  /** Every request, and what each audit found, for the check against the model. */
  readonly log: Operation[] = [];
  /** Unexpected responses, such as a conflict with a plant of the same client. */
  readonly wrong: string[] = [];
  #stopped = false;
  #plants = 0;
  readonly #all: Promise<void>[];
  readonly #random: () => number;

  /** @param random returns numbers from 0 to less than 1 */
  constructor(random: () => number) {
    this.#random = random;
    this.#all = Array.from({ length: WRITERS }, () => this.#write());
  }

  /** Stops the writers after their current plants. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#all);
  }

  /** Reads the table with an independent client, while nothing is sent. */
  async audit(client: DynamoDBClient): Promise<void> {
    const calledAt = performance.now();
    const stored = await storedItems(client);
    const endedAt = performance.now();
    for (const id of new Set([...this.log.map((each) => each.id), ...stored.keys()])) {
      const { id: _, ...properties } = stored.get(id) ?? {};
      const plant = stored.has(id) ? fingerprint(properties) : undefined;
      this.log.push({ id, plant, claim: 'seen', calledAt, endedAt });
    }
    const found = this.acknowledged.filter(({ id }) => stored.has(id));
    const intact = found.filter((plant) => isDeepStrictEqual(stored.get(plant.id), plant));
    this.found.lost += this.acknowledged.length - intact.length;
    this.found.unacknowledged += stored.size - found.length;
  }

  async #write(): Promise<void> {
    while (!this.#stopped) {
      const plant = this.#newPlant();
      await this.#expect(plant, 200);
      this.acknowledged.push(plant);
      if (this.#plants % REPEAT_EVERY !== 0) continue;
      const earlier = this.acknowledged[Math.floor(this.#random() * this.acknowledged.length)] as StoredItem;
      await this.#expect(earlier, 200);
      await this.#expect({ ...earlier, [TEXT]: `${earlier[TEXT]}, another` }, 40901);
    }
  }

  #newPlant(): StoredItem {
    const id = String(2n ** 62n + BigInt(this.#plants));
    this.#plants += 1;
    // Some are small, some span several pages of the store.
    const text = `Fern ${id} ${'🌿'.repeat(Math.floor(this.#random() ** 8 * 3_000))}`;
    return { id, ...(this.#random() < 0.5 ? LEAST : WHOLE), [TEXT]: text };
  }

  /** Sends a plant until there is a final response, retrying by the error number. */
  async #expect({ id, ...properties }: StoredItem, expected: number): Promise<void> {
    const plant = fingerprint(properties);
    const body = bodyOf(id, properties);
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
      const response = await this.service.post(body);
      return response.status === 200 ? 200 : JSON.parse(response.body).error;
    } catch {
      return undefined;
    }
  }
}
