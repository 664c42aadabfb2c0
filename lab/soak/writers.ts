import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { bodyOf, LEAST, TEXT, WHOLE } from '../../contract/examples.ts';
import type { LocalProcess } from '../../test/support/local-process.ts';
import { type StoredItem, storedItems } from '../../test/support/stored-item.ts';

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
  /** Unexpected responses, such as a conflict with a plant of the same client. */
  readonly wrong: string[] = [];
  #stopped = false;
  #plants = 0;
  readonly #all: Promise<void>[];

  constructor() {
    this.#all = Array.from({ length: WRITERS }, () => this.#write());
  }

  /** Stops the writers after their current plants. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#all);
  }

  /** Reads the table with an independent client, while nothing is sent. */
  async audit(client: DynamoDBClient): Promise<void> {
    const stored = await storedItems(client);
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
      const earlier = this.acknowledged[Math.floor(Math.random() * this.acknowledged.length)] as StoredItem;
      await this.#expect(earlier, 200);
      await this.#expect({ ...earlier, [TEXT]: `${earlier[TEXT]}, another` }, 40901);
    }
  }

  #newPlant(): StoredItem {
    const id = String(2n ** 62n + BigInt(this.#plants));
    this.#plants += 1;
    // Some are small, some span several pages of the store.
    const text = `Fern ${id} ${'🌿'.repeat(Math.floor(Math.random() ** 8 * 3_000))}`;
    return { id, ...(Math.random() < 0.5 ? LEAST : WHOLE), [TEXT]: text };
  }

  /** Sends a plant until there is a final response, retrying by the error number. */
  async #expect({ id, ...properties }: StoredItem, expected: number): Promise<void> {
    const body = bodyOf(id, properties);
    for (;;) {
      const number = await this.#send(body);
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
