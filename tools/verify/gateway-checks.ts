import { contractViolations, type HttpResponse, judgeResponse } from '../../contract/judge-response.ts';
import { NotJudged } from '../../contract/placeholders.ts';
import type { Check } from './check.ts';
import { VERIFY_BODY } from './plant-checks.ts';
import type { RunningService } from './running-service.ts';

const MB = 1024 * 1024;
const TOO_LARGE = { status: 400, error: 41301 } as const;

const group = 'the gateway';

/** Checks of the gateway that cannot be written as contract cases. */
export function gatewayChecks(): Check[] {
  return [headCheck(), requestIdCheck(), ...sizeChecks()];
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

/** Whitespace only, so that nothing is stored even if the service accepts a part of it. */
function sizeChecks(): Check[] {
  return [2, 5, 11].map((size) => ({
    group,
    rule: `a body of ${size} MB is refused as too large`,
    run: async (service) => {
      const response = await sendLarge(service, Buffer.alloc(size * MB, ' '));
      if (size > 4 && response.status === 413)
        throw new NotJudged('AWS itself returns 413, which cannot be changed');
      return judgeResponse(response, TOO_LARGE);
    },
  }));
}

async function sendLarge(service: RunningService, body: Buffer): Promise<HttpResponse> {
  try {
    return await service.sendOnce(service.post(body));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EPIPE' && code !== 'ECONNRESET') throw error;
    throw new NotJudged(`the connection was closed during the upload (${code}), which cannot be changed`);
  }
}
