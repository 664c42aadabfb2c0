import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ContractCase } from '../../contract/contract-case.ts';
import {
  contractViolations,
  errorOf,
  type HttpResponse,
  judgeResponse,
} from '../../contract/judge-response.ts';
import { derivedTokens, NotJudged, type Tokens } from '../../contract/placeholders.ts';
import { type HttpRequest, RESPONSE_MS, sendHttp } from '../shared/send-http.ts';

/** The total time that all requests may wait for a throttled service, in milliseconds. */
const PATIENCE_MS = 60_000;

/** A client of a running service. */
export class RunningService {
  readonly baseUrl: string;
  /** The replacements of a case's placeholders that can be derived from one valid token. */
  readonly tokens: Partial<Tokens> & Pick<Tokens, 'token'>;
  /** Ends all requests. */
  readonly stop: AbortSignal | undefined;
  /** How many requests {@link send} has sent, and how many of them were retries. */
  sent = 0;
  retries = 0;
  readonly #agent: http.Agent | undefined;
  readonly #isOnce: boolean;
  #patience: number;

  /**
   * @param baseUrl with or without a trailing slash or a stage's path
   * @param token a valid access token
   * @param options.stop ends all requests when it is aborted
   * @param options.patience milliseconds in which a throttled service is waited for, in all
   * @param options.isOnce whether to send each request only once, on a connection of its own: a repeat may reach another version
   */
  constructor(
    baseUrl: string,
    token: string,
    {
      stop,
      patience = PATIENCE_MS,
      isOnce = false,
    }: { stop?: AbortSignal | undefined; patience?: number; isOnce?: boolean } = {},
  ) {
    this.baseUrl = baseUrl;
    this.stop = stop;
    this.#patience = patience;
    this.tokens = derivedTokens(token);
    const { Agent } = baseUrl.startsWith('https:') ? https : http;
    this.#agent = isOnce ? undefined : new Agent({ keepAlive: true, proxyEnv: process.env });
    this.#isOnce = isOnce;
  }

  /**
   * Sends a request, and retries if a response that conforms has `Retry-After`, or the connection breaks: this is safe
   * (docs/decisions.md, 4), and throttling does not violate the contract.
   * @throws Error with a `code` if no response arrives; the reason of the abort; NotJudged if a request that is sent once is throttled
   */
  async send(request: HttpRequest): Promise<HttpResponse> {
    for (let isFirst = true; ; isFirst = false, this.retries += 1) {
      this.sent += 1;
      try {
        const signals = [AbortSignal.timeout(RESPONSE_MS), this.stop].filter((each) => each !== undefined);
        const response = await sendHttp(this.baseUrl, request, this.#agent, AbortSignal.any(signals));
        const asked = response.headers['retry-after'] ?? '';
        // Whole seconds; the service never sends a date.
        const wait = /^\d+$/.test(asked) ? Number(asked) * 1000 : 0;
        const isConforming = wait > 0 && contractViolations(response).length === 0;
        if (this.#isOnce && isConforming && errorOf(response) === 42901) throw new NotJudged('throttled');
        if (this.#isOnce || !isConforming || wait > this.#patience) return response;
        this.#patience -= wait;
        await sleep(wait, undefined, { signal: this.stop });
      } catch (error) {
        this.stop?.throwIfAborted();
        if (!isFirst || this.#isOnce) throw error;
      }
    }
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
  create(body: string | Buffer): Promise<HttpResponse> {
    return this.send(this.post(body));
  }

  /** Sends a body to `POST /plants`. @returns as {@link judged} */
  async expect(body: string | Buffer, expected: ContractCase['expected']): Promise<string[]> {
    return judged(await this.create(body), expected);
  }

  close(): void {
    if (this.#agent) this.#agent.destroy();
  }
}

/** Judges a response. @returns a sentence for each violation, {@link withRequest} */
export function judged(response: HttpResponse, expected: ContractCase['expected']): string[] {
  return judgeResponse(response, expected).map((reason) => withRequest(reason, response));
}

/** A reason with the id of the request, by which it is found in the logs. */
export function withRequest(reason: string, { headers }: HttpResponse): string {
  return `${reason} (request ${headers['x-request-id']})`;
}
