import type { HttpResponse } from '../../contract/judge-response.ts';

/** What is wrong with a response, and the id by which its request is found in the logs. */
export interface Violation {
  readonly sentence: string;
  readonly requestId?: string | undefined;
}

export function violation(sentence: string, { headers }: HttpResponse): Violation {
  return { sentence, requestId: headers['x-request-id'] };
}

/** A violation in words. */
export function inWords({ sentence, requestId }: Violation): string {
  return requestId === undefined ? sentence : `${sentence} (request ${requestId})`;
}
