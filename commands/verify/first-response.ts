import { PlainError } from '../../cli/plain-error.ts';
import { errorOf, type HttpResponse } from '../../contract/judge-response.ts';
import { causeOf } from '../shared/send-http.ts';
import type { RunningService } from './running-service.ts';

/**
 * Sends one request first, because with a wrong address or token all others would fail.
 * @param body a plant that the service should accept
 * @throws PlainError with the cause in one line, unless the response is 200
 */
export async function requireService(service: RunningService, body: string): Promise<void> {
  const { baseUrl } = service;
  const response = await service.create(body).catch((error) => {
    service.stop?.throwIfAborted();
    throw new PlainError(`${baseUrl} cannot be reached (${causeOf(error)}).`);
  });
  if (response.status !== 200) throw new PlainError(explain(baseUrl, response));
}

function explain(baseUrl: string, response: HttpResponse): string {
  const error = errorOf(response);
  const { status, headers } = response;
  switch (error) {
    case 40102:
      return `${baseUrl} refuses the access token (40102); issue one for this service with npm run token.`;
    case 40000:
    case 40401:
      return `${baseUrl} has no POST /plants (${error}); --url is the part of the address before /plants.`;
    case 40901:
      return `${baseUrl} has another plant with an id that is reserved for verification (40901); see docs/commands.md#verify.`;
    case undefined:
      return `${baseUrl} is not a Plant Store: it returns ${status}, ${headers['content-type'] ?? 'no content type'}.`;
    default:
      return `${baseUrl} does not accept a valid plant (${error}); docs/runbook-alarms.md says what to check.`;
  }
}
