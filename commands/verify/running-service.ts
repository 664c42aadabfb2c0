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
import { type HttpRequest, RESPONSE_MS, sendHttp } from '../../contract/send-http.ts';
import { type Violation, violation } from './violation.ts';

/** The total time that all requests may wait for a throttled service, in milliseconds. */
const PATIENCE_MS = 60_000;

/** A client of a running service. */
export type RunningService = ReturnType<typeof serviceAt>;

/**
 * Makes a client of a running service.
 * @param baseUrl with or without a trailing slash or a stage's path
 * @param token a valid access token
 * @param options.stop ends all requests when it is aborted
 * @param options.patience milliseconds in which a throttled service is waited for, in all
 * @param options.isOnce whether to send each request only once, on a connection of its own: a repeat may reach another version
 */
export function serviceAt(
  baseUrl: string,
  token: string,
  options: { stop?: AbortSignal | undefined; patience?: number; isOnce?: boolean } = {},
) {
  const { stop, isOnce = false } = options;
  let { patience = PATIENCE_MS } = options;
  const { Agent } = baseUrl.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: !isOnce, proxyEnv: process.env });
  const tokens: Partial<Tokens> = derivedTokens(token);
  const counts = { sent: 0, retries: 0 };

  /**
   * Sends a request, and retries if a response that conforms has `Retry-After`, or the connection breaks: this is safe
   * (docs/decisions.md, 4), and throttling does not violate the contract.
   * @throws Error with a `code` if no response arrives; the reason of the abort; NotJudged if a request that is sent once is throttled
   */
  const send = async (request: HttpRequest): Promise<HttpResponse> => {
    for (let isFirst = true; ; isFirst = false, counts.retries += 1) {
      counts.sent += 1;
      try {
        const signals = [AbortSignal.timeout(RESPONSE_MS), stop].filter((each) => each !== undefined);
        const response = await sendHttp(baseUrl, request, agent, AbortSignal.any(signals));
        const asked = response.headers['retry-after'] ?? '';
        // Whole seconds; the service never sends a date.
        const wait = /^\d+$/.test(asked) ? Number(asked) * 1000 : 0;
        const isConforming = wait > 0 && contractViolations(response).length === 0;
        if (isOnce && isConforming && errorOf(response) === 42901) throw new NotJudged('throttled');
        if (isOnce || !isConforming || wait > patience) return response;
        patience -= wait;
        await sleep(wait, undefined, { signal: stop });
      } catch (error) {
        stop?.throwIfAborted();
        if (!isFirst || isOnce) throw error;
      }
    }
  };

  /** A `POST /plants` with the valid token. */
  const post = (body: string | Buffer): HttpRequest => {
    const headers = [
      ['content-type', 'application/json'],
      ['authorization', `Bearer ${token}`],
    ] as const;
    return { headers, body };
  };
  const create = (body: string | Buffer) => send(post(body));

  return {
    baseUrl,
    /** The replacements of a case's placeholders that can be derived from one valid token. */
    tokens,
    stop,
    /** How many requests were sent, and how many of them were retries. */
    counts,
    send,
    post,
    /** Sends a body to `POST /plants` with the valid token. */
    create,
    close: () => agent.destroy(),
  };
}

/** Judges a response. */
export function judged(response: HttpResponse, expected: ContractCase['expected']): Violation[] {
  return judgeResponse(response, expected).map((sentence) => violation(sentence, response));
}
