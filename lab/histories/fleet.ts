import type { Handler } from '../../lambda/envelope.ts';
import type { Clock } from '../../test/support/clock.ts';
import { EPOCH } from './machine.ts';
import type { Subject } from './subject.ts';

/** One execution environment of the function. */
export interface Copy {
  readonly name: string;
  readonly handler: Handler;
  isBusy: boolean;
  isDead: boolean;
}

/** The copies of the function. Like Lambda, it gives a copy one request at a time, and starts another if all are busy. */
export class Fleet {
  readonly #subject: Subject;
  readonly #clock: Clock;
  readonly #copies: Copy[] = [];

  constructor(subject: Subject, clock: Clock) {
    this.#subject = subject;
    this.#clock = clock;
  }

  isDead(name: string): boolean {
    return this.#copies.some((copy) => copy.name === name && copy.isDead);
  }

  /** @param index which copy to prefer; a new one is started if there is no such copy, or if it is busy or dead */
  idle(index: number): Copy {
    const alive = this.#copies.filter(({ isDead }) => !isDead);
    const wanted = alive[index];
    return wanted && !wanted.isBusy ? wanted : this.#start();
  }

  #start(): Copy {
    const { makeHandler, createPlant, AccessTokenTable, PlantTable } = this.#subject;
    const name = `copy-${this.#copies.length + 1}`;
    const client = this.#subject.clientOf(name);
    const elapsed = () => this.#clock.now;
    const operation = createPlant({
      accessTokens: new AccessTokenTable(client, 'tokens', { now: () => EPOCH + elapsed(), elapsed }),
      plants: new PlantTable(client, 'plants'),
    });
    const handler = makeHandler(operation, { writeLog: () => undefined });
    const copy = { name, handler, isBusy: false, isDead: false };
    this.#copies.push(copy);
    return copy;
  }
}
