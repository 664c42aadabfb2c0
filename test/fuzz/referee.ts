import { type Answer, contractViolations } from '../support/contract-runner.ts';
import { fingerprint } from '../support/store-in-memory.ts';
import { type JudgedPlant, judge } from './oracle.ts';
import { ANSWERED_TEXTS } from './schema.ts';
import type { Subject } from './subject.ts';

/** Checks every answer of one subject, and tracks what its store must contain. */
export class Referee {
  readonly #subject: Subject;
  readonly #plants = new Map<string, string>();

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  /**
   * @returns 200, or the number of the error that was answered
   * @throws Error that describes what is wrong with the answer to an event
   */
  async check(event: unknown): Promise<number> {
    const verdict = judge(event, this.#subject.token);
    const answer = await this.#subject.handler(event);
    const wrong = contractViolations({ ...answer, status: answer.statusCode } as unknown as Answer);
    if (wrong.length > 0) throw new Error(wrong.join('; '));
    const number = answer.statusCode === 200 ? 200 : JSON.parse(answer.body).error;
    if ('plant' in verdict) await this.#checkPlant(verdict.plant, number, answer.body);
    else expectOneOf(number, verdict.errors);
    return number;
  }

  async #checkPlant({ id, texts }: JudgedPlant, number: number, body: string): Promise<void> {
    const print = fingerprint(texts);
    const before = this.#plants.get(id);
    expectOneOf(number, [before === undefined || before === print ? 200 : 40901]);
    if (number === 200) {
      this.#plants.set(id, print);
      if (body !== JSON.stringify(texts, ANSWERED_TEXTS))
        throw new Error(`the body of the answer is ${body}`);
    }
    const stored = await this.#subject.stored(id);
    if (stored !== (before ?? print)) throw new Error(`the store contains another plant under ${id}`);
  }
}

function expectOneOf(number: number, expected: readonly number[]): void {
  if (!expected.includes(number)) throw new Error(`answered ${number} instead of ${expected.join(' or ')}`);
}
