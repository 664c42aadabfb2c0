import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ContractCase } from '../../contract/cases.ts';
import { type Answer, judgeAnswer } from './judge-answer.ts';
import { derivedTokens, type Tokens } from './placeholders.ts';
import { type HttpRequest, sendHttp } from './send-http.ts';

/** How long all requests together may wait for a throttled service, in milliseconds. */
const PATIENCE_MS = 60_000;

/** A running service, as a client sees it. */
export class Service {
  readonly baseUrl: string;
  /** What stands in for the tokens of a case, as far as one valid token can be made into them. */
  readonly tokens: Partial<Tokens> & Pick<Tokens, 'token'>;
  readonly #agent: http.Agent;
  #patience = PATIENCE_MS;

  /**
   * @param baseUrl with or without a slash at its end, or a stage's path
   * @param token a valid access token
   * @param options.connections how many requests are under way at once; the others wait
   */
  constructor(baseUrl: string, token: string, { connections = Infinity } = {}) {
    this.baseUrl = baseUrl;
    this.tokens = derivedTokens(token);
    const { Agent } = baseUrl.startsWith('https:') ? https : http;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /**
   * Sends a request, and again if the answer has `Retry-After` or the connection broke: it is safe to send a request
   * twice (docs/decisions, 4), and a throttle does not break the contract.
   * @throws Error with a `code` when no answer comes
   */
  async send(request: HttpRequest): Promise<Answer> {
    for (let isFirst = true; ; isFirst = false) {
      try {
        const answer = await this.sendOnce(request);
        const wait = Number(answer.headers['retry-after'] ?? 0) * 1000;
        if (!(wait > 0 && wait <= this.#patience)) return answer;
        this.#patience -= wait;
        await sleep(wait);
      } catch (error) {
        if (!isFirst) throw error;
      }
    }
  }

  /** Sends a request once. @throws Error with a `code` when no answer comes */
  sendOnce(request: HttpRequest): Promise<Answer> {
    return sendHttp(this.baseUrl, request, this.#agent);
  }

  /** A `POST /plants` with the valid token. */
  post(body: string | Buffer): HttpRequest {
    const headers = [
      ['content-type', 'application/json'],
      ['authorization', `Bearer ${this.tokens.token}`],
    ] as const;
    return { headers, body };
  }

  /** Sends a body to `POST /plants` with the valid token. */
  create(body: string | Buffer): Promise<Answer> {
    return this.send(this.post(body));
  }

  /** Sends a body to `POST /plants`. @returns what is wrong with the answer, a sentence for each thing */
  async expect(body: string | Buffer, expected: ContractCase['expected']): Promise<string[]> {
    return judgeAnswer(await this.create(body), expected);
  }

  close(): void {
    this.#agent.destroy();
  }
}
