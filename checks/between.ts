import type { ContractCase } from '../contract/contract-case.ts';
import { errorOf, type Violation } from '../contract/judge-response.ts';
import { notOfService, PROXY_PAGE } from '../contract/not-of-service.ts';
import type { HttpRequest, HttpResponse } from '../contract/send-http.ts';

/** What something between may have made of a request. */
type Change = 'one header' | 'cleaned path';

const SENTENCES: Readonly<Record<Change, string>> = {
  'one header': `A proxy between joins two headers of one name, or passes on only one (${PROXY_PAGE}).`,
  'cleaned path': `A proxy between cleans the path, and makes /plants of //plants (${PROXY_PAGE}).`,
};

/** What a proxy did to a request, as far as the service's own response shows it. @returns no violation if it shows none */
export function changedBetween(
  request: HttpRequest,
  response: HttpResponse,
  expected: ContractCase['expected'],
): Violation[] {
  const change = changeOf(request, response, expected);
  return change === undefined
    ? []
    : [{ sentence: SENTENCES[change], requestId: response.headers['x-request-id'] }];
}

function changeOf(
  { path = '', headers = [] }: HttpRequest,
  response: HttpResponse,
  expected: ContractCase['expected'],
): Change | undefined {
  const error = errorOf(response);
  if (expected.status === 200 || error === expected.error || notOfService(response)) return undefined;
  const names = headers.map(([name]) => name);
  const isTwice = new Set(names).size < names.length;
  // Joined, two tokens are none, or one with a comma; of two values, the first alone may be a valid one.
  if (isTwice && (error === 40101 || response.status === 200)) return 'one header';
  return path.includes('//') ? 'cleaned path' : undefined;
}
