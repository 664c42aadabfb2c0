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
  #isEnough = false;
  #askedAt: number;

  private constructor(log: FunctionLog, isEnough: boolean) {
    this.#log = log;
    this.#askedAt = Date.now();
    this.#tell(isEnough);
  }

  /** @throws the SDK's error if the log cannot be read */
  static async of(log: FunctionLog): Promise<Traffic> {
    return new Traffic(log, await ask(log));
  }

  /** What was known at most a minute ago; if the log can no longer be read, what it said last. */
  async isEnough(): Promise<boolean> {
    if (Date.now() - this.#askedAt >= EVERY_MS) {
      this.#askedAt = Date.now();
      const answer = await ask(this.#log).catch(explain);
      if (typeof answer === 'string') print(`The log cannot be searched for requests of clients: ${answer}`);
      else if (answer !== this.#isEnough) this.#tell(answer);
    }
    return this.#isEnough;
  }

  #tell(isEnough: boolean): void {
    this.#isEnough = isEnough;
    print(
      `Clients sent ${isEnough ? 'at least' : 'fewer than'} ${ENOUGH.requests} requests in ${ENOUGH.minutes} minutes: ` +
        (isEnough ? 'enough, so none are sent.' : 'requests are sent until the deployment is over.'),
    );
  }
}

function ask(log: FunctionLog): Promise<boolean> {
  return log.hasClients(Date.now() - ENOUGH.minutes * 60_000, ENOUGH.requests);
}
