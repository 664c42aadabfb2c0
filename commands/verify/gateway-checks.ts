import { contractViolations, type HttpResponse } from '../../contract/judge-response.ts';
import { NotJudged } from '../../contract/placeholders.ts';
import type { Check } from './check.ts';
import { VERIFY_BODY } from './plant-checks.ts';

const group = 'the gateway';

/**
 * Checks of the gateway that cannot be written as contract cases.
 * @param origins the allowed origins, if they are known
 */
export function gatewayChecks(origins?: readonly string[]): Check[] {
  return [headCheck(), requestIdCheck(), originCheck(origins)];
}

/** Nobody can have it (RFC 2606, section 2). */
const STRANGER = 'https://stranger.invalid';

function originCheck(origins: readonly string[] | undefined): Check {
  const expected = origins?.includes('*') ? '*' : undefined;
  return {
    group,
    rule: 'a page of an origin that is not allowed can read no response',
    run: async (service) => {
      const { headers: usual = [], body } = service.post(VERIFY_BODY);
      const headers = [...usual, ['origin', STRANGER], ['access-control-request-method', 'POST']] as const;
      const wrong: string[] = [];
      for (const method of ['POST', 'OPTIONS']) {
        const { headers: got } = await service.send({ method, headers, body });
        const allowed = got['access-control-allow-origin'];
        if (got['access-control-allow-credentials'] !== undefined) wrong.push(`${method} allows credentials`);
        else if (allowed === '*' && !origins)
          throw new NotJudged('only --stage knows whether every origin is allowed');
        if (allowed !== expected) wrong.push(`${method} allows the origin ${allowed}`);
      }
      return wrong;
    },
  };
}

/** HEAD is no operation. Its response has no body (RFC 9110, section 9.3.2): Node's client ignores one. */
function headCheck(): Check {
  return {
    group,
    rule: 'HEAD gets the status and the headers of a refusal',
    run: async (service) => {
      const response = await service.send({ method: 'HEAD' });
      return contractViolations({ ...response, body: '{"error":40401,"message":"HEAD has no body."}' });
    },
  };
}

function requestIdCheck(): Check {
  return {
    group,
    rule: 'every response has a different request id',
    run: async (service) => {
      const responses: HttpResponse[] = [];
      for (let count = 1; count <= 2; count += 1) responses.push(await service.send({ method: 'GET' }));
      for (const body of [VERIFY_BODY, '{}']) responses.push(await service.create(body));
      const ids = responses.map(({ headers }) => headers['x-request-id']);
      return new Set(ids).size === ids.length ? [] : [`the request ids are ${ids.join(', ')}`];
    },
  };
}
