import type { ContractCase } from '../contract/contract-case.ts';
import { errorOf, type Violation } from '../contract/judge-response.ts';
import { notOfService } from '../contract/not-of-service.ts';
import type { HttpRequest, HttpResponse } from '../contract/send-http.ts';

/** What something between may have made of a request. */
type Change = 'one Authorization' | 'cleaned path';

const SENTENCES: Readonly<Record<Change, string>> = {
  'one Authorization': 'A proxy between joins two Authorization headers, or passes on only one.',
  'cleaned path': 'A proxy between cleans the path, and makes /plants of //plants.',
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
  const sent = headers.filter(([name]) => name === 'authorization').length;
  // Joined, two values have no bearer token, or one with a comma; of two, the first alone may be a valid one.
  if (sent > 1 && (error === 40101 || response.status === 200)) return 'one Authorization';
  return path.includes('//') ? 'cleaned path' : undefined;
}
