import { setTimeout as sleep } from 'node:timers/promises';
import { contractViolations, errorOf } from '../contract/judge-response.ts';
import {
  agentFor,
  type HttpRequest,
  type HttpResponse,
  RESPONSE_MS,
  sendHttp,
} from '../contract/send-http.ts';
import { derivedTokens, type TokenKind, type Tokens } from '../contract/tokens.ts';

/** The total time that all retries may wait, in milliseconds. */
const RETRY_WAIT_MS = 60_000;

/** Thrown if a rule cannot be tested here; the message says why. */
export class NotJudged extends Error {
  override readonly name = 'NotJudged';
}

/** A client of the service that is tested. */
export type ServiceUnderTest = ReturnType<typeof serviceAt>;

/**
 * Makes a client of the service that is tested.
 * @param baseUrl with or without a trailing slash or a stage's path
 * @param token a valid access token
 * @param options.stop ends all requests when it is aborted
 * @param options.retryWaitMs milliseconds that all retries together may wait, as `Retry-After` asks
 * @param options.isOnce whether to send each request only once, on a connection of its own: a repeat may reach another version
 */
export function serviceAt(
  baseUrl: string,
  token: string,
  options: { stop?: AbortSignal | undefined; retryWaitMs?: number; isOnce?: boolean } = {},
) {
  const { stop, isOnce = false } = options;
  let { retryWaitMs = RETRY_WAIT_MS } = options;
  const agent = agentFor(baseUrl, !isOnce);
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
        if (isOnce || !isConforming || wait > retryWaitMs) return response;
        retryWaitMs -= wait;
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

  /** @throws NotJudged if the token cannot be derived from one valid token */
  const tokenOf = (kind: TokenKind): string => {
    const derived = tokens[kind];
    if (derived === undefined) throw new NotJudged(`this run has no ${kind} token`);
    return derived;
  };

  return {
    baseUrl,
    /** The replacement of a placeholder in a case's headers. */
    tokenOf,
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
