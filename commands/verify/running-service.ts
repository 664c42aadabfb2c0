import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ContractCase } from '../../contract/contract-case.ts';
import { contractViolations, type HttpResponse, judgeResponse } from '../../contract/judge-response.ts';
import { derivedTokens, type Tokens } from '../../contract/placeholders.ts';
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
  /** How often {@link send} has retried a request. */
  retries = 0;
  readonly #agent: http.Agent;
  #patience: number;

  /**
   * @param baseUrl with or without a trailing slash or a stage's path
   * @param token a valid access token
   * @param options.stop ends all requests when it is aborted
   * @param options.patience milliseconds in which a throttled service is waited for, in all
   */
  constructor(
    baseUrl: string,
    token: string,
    { stop, patience = PATIENCE_MS }: { stop?: AbortSignal | undefined; patience?: number } = {},
  ) {
    this.baseUrl = baseUrl;
    this.stop = stop;
    this.#patience = patience;
    this.tokens = derivedTokens(token);
    const { Agent } = baseUrl.startsWith('https:') ? https : http;
    this.#agent = new Agent({ keepAlive: true, proxyEnv: process.env });
  }

  /**
   * Sends a request, and retries if a response that conforms has `Retry-After`, or the connection breaks: this is safe
   * (docs/decisions.md, 4), and throttling does not violate the contract.
   * @throws Error with a `code` if no response arrives; the reason of the abort
   */
  async send(request: HttpRequest): Promise<HttpResponse> {
    for (let isFirst = true; ; isFirst = false, this.retries += 1) {
      try {
        const signals = [AbortSignal.timeout(RESPONSE_MS), this.stop].filter((each) => each !== undefined);
        const response = await sendHttp(this.baseUrl, request, this.#agent, AbortSignal.any(signals));
        const asked = response.headers['retry-after'] ?? '';
        // Whole seconds; the service never sends a date.
        const wait = /^\d+$/.test(asked) ? Number(asked) * 1000 : 0;
        const isRetried = wait > 0 && wait <= this.#patience && contractViolations(response).length === 0;
        if (!isRetried) return response;
        this.#patience -= wait;
        await sleep(wait, undefined, { signal: this.stop });
      } catch (error) {
        this.stop?.throwIfAborted();
        if (!isFirst) throw error;
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

  /** Sends a body to `POST /plants`. @returns a sentence for each violation */
  async expect(body: string | Buffer, expected: ContractCase['expected']): Promise<string[]> {
    return judgeResponse(await this.create(body), expected);
  }

  close(): void {
    this.#agent.destroy();
  }
}
