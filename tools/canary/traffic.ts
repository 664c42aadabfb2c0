import { print } from '../../terminal/print.ts';
import { explain } from '../stage/aws.ts';
import type { FunctionLog } from './function-log.ts';

/** Enough: as many as this command would send. */
const ENOUGH = { requests: 300, minutes: 10 };
/** How often to ask, in milliseconds. */
const EVERY_MS = 60_000;

/** Whether clients send enough requests to show that a version is broken. */
export class Traffic {
  readonly #log: FunctionLog;
  #askedAt = 0;
  #isEnough: boolean | undefined;

  constructor(log: FunctionLog) {
    this.#log = log;
  }

  /**
   * What was known at most a minute ago; if the log can no longer be read, what it said last. Prints each change.
   * @throws the SDK's error if the log cannot be read the first time
   */
  async isEnough(): Promise<boolean> {
    const known = this.#isEnough;
    const now = Date.now();
    if (known !== undefined && now - this.#askedAt < EVERY_MS) return known;
    this.#askedAt = now;
    const found = this.#log.hasClients(now - ENOUGH.minutes * 60_000, ENOUGH.requests);
    this.#isEnough = await found.catch((error) => {
      if (known === undefined) throw error;
      print(`The log cannot be searched for requests of clients: ${explain(error)}`);
      return known;
    });
    if (this.#isEnough !== known)
      print(
        `Clients sent ${this.#isEnough ? 'at least' : 'fewer than'} ${ENOUGH.requests} requests in ${ENOUGH.minutes} minutes: ` +
          (this.#isEnough ? 'enough, so none are sent.' : 'requests are sent until the deployment is over.'),
      );
    return this.#isEnough;
  }
}
