import { contractViolations, type HttpResponse } from '../../contract/judge-response.ts';
import { NotJudged } from '../../contract/placeholders.ts';
import type { Check } from './check.ts';
import { VERIFY_BODY } from './plant-checks.ts';
import type { RunningService } from './running-service.ts';

/**
 * Checks of the gateway that cannot be written as contract cases.
 * @param origins the allowed origins, if they are known
 */
export function gatewayChecks(origins?: readonly string[]): Check[] {
  const group = 'the gateway';
  return [
    { group, rule: 'HEAD gets the status and the headers of a refusal', run: judgeHead },
    { group, rule: 'every response has a different request id', run: judgeRequestIds },
    {
      group,
      rule: 'a page of an origin that is not allowed can read no response',
      run: (service) => judgeOrigin(service, origins),
    },
  ];
}

/** HEAD is no operation. Its response has no body (RFC 9110, section 9.3.2): Node's client ignores one. */
async function judgeHead(service: RunningService): Promise<string[]> {
  const response = await service.send({ method: 'HEAD' });
  return contractViolations({ ...response, body: '{"error":40401,"message":"HEAD has no body."}' });
}

async function judgeRequestIds(service: RunningService): Promise<string[]> {
  const responses: HttpResponse[] = [];
  for (let count = 1; count <= 2; count += 1) responses.push(await service.send({ method: 'GET' }));
  for (const body of [VERIFY_BODY, '{}']) responses.push(await service.create(body));
  const ids = responses.map(({ headers }) => headers['x-request-id']);
  return new Set(ids).size === ids.length ? [] : [`the request ids are ${ids.join(', ')}`];
}

/** Nobody can have it (RFC 2606, section 2). */
const STRANGER = 'https://stranger.invalid';

async function judgeOrigin(service: RunningService, origins?: readonly string[]): Promise<string[]> {
  const expected = origins?.includes('*') ? '*' : undefined;
  const { headers: usual = [], body } = service.post(VERIFY_BODY);
  const headers = [...usual, ['origin', STRANGER], ['access-control-request-method', 'POST']] as const;
  const wrong: string[] = [];
  for (const method of ['POST', 'OPTIONS']) {
    const { headers: found } = await service.send({ method, headers, body });
    const allowed = found['access-control-allow-origin'];
    if (found['access-control-allow-credentials'] !== undefined) wrong.push(`${method} allows credentials`);
    else if (allowed === '*' && !origins)
      throw new NotJudged('only --stage knows whether every origin is allowed');
    if (allowed !== expected) wrong.push(`${method} allows the origin ${allowed}`);
  }
  return wrong;
}
