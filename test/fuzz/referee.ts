import { contractViolations, type HttpResponse } from '../support/contract-runner.ts';
import { RETURNED } from '../support/properties.ts';
import { fingerprint } from '../support/store-in-memory.ts';
import { type JudgedPlant, judge } from './oracle.ts';
import type { Subject } from './subject.ts';

/** Checks every response of one subject, and tracks what its store must contain. */
export class Referee {
  readonly #subject: Subject;
  readonly #plants = new Map<string, string>();

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  /**
   * @returns 200, or the number of the error that was returned
   * @throws Error that describes what is wrong with the response to an event
   */
  async check(event: unknown): Promise<number> {
    const verdict = judge(event, this.#subject.token);
    const response = await this.#subject.handler(event);
    const wrong = contractViolations({ ...response, status: response.statusCode } as unknown as HttpResponse);
    if (wrong.length > 0) throw new Error(wrong.join('; '));
    const number = response.statusCode === 200 ? 200 : JSON.parse(response.body).error;
    if ('plant' in verdict) await this.#checkPlant(verdict.plant, number, response.body);
    else expectOneOf(number, verdict.errors);
    return number;
  }

  async #checkPlant({ id, properties }: JudgedPlant, number: number, body: string): Promise<void> {
    const print = fingerprint(properties);
    const before = this.#plants.get(id);
    expectOneOf(number, [before === undefined || before === print ? 200 : 40901]);
    if (number === 200) {
      this.#plants.set(id, print);
      if (body !== JSON.stringify(properties, RETURNED))
        throw new Error(`the body of the response is ${body}`);
    }
    const stored = await this.#subject.stored(id);
    if (stored !== (before ?? print)) throw new Error(`the store contains another plant under ${id}`);
  }
}

function expectOneOf(number: number, expected: readonly number[]): void {
  if (!expected.includes(number)) throw new Error(`returned ${number} instead of ${expected.join(' or ')}`);
}
