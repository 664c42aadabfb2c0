import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './judge-answer.ts';
import { derivedTokens, type Tokens } from './placeholders.ts';
import { type HttpRequest, sendHttp } from './send-http.ts';

/** How long a run may wait for a service that asks to be asked again, all in all: it may be down, not throttled. */
const PATIENCE_MS = 60_000;

/** The service under verification, as a client sees it. */
export class Service {
  readonly baseUrl: string;
  /** What stands in for the tokens of a case, as far as one valid token can be made into them. */
  readonly tokens: Partial<Tokens> & Pick<Tokens, 'token'>;
  readonly #agent: http.Agent;
  #patience = PATIENCE_MS;

  /**
   * @param baseUrl with or without a slash at its end, or a stage's path
   * @param token a valid access token
   */
  constructor(baseUrl: string, token: string) {
    this.baseUrl = baseUrl;
    this.tokens = derivedTokens(token);
    this.#agent = new (baseUrl.startsWith('https:') ? https : http).Agent({ keepAlive: true });
  }

  /**
   * Sends a request, and again where the answer says `Retry-After` or the connection broke: sending twice is safe
   * (docs/decisions, 4), and a throttle is no breach of the contract.
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

  /** Sends a request once, whatever comes of it. */
  sendOnce(request: HttpRequest): Promise<Answer> {
    return sendHttp(this.baseUrl, request, this.#agent);
  }

  /** Sends a body to `POST /plants` with the valid token. */
  create(body: string | Buffer): Promise<Answer> {
    const headers: [string, string][] = [
      ['content-type', 'application/json'],
      ['authorization', `Bearer ${this.tokens.token}`],
    ];
    return this.send({ headers, body });
  }

  close(): void {
    this.#agent.destroy();
  }
}
