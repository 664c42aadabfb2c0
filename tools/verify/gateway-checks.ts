import { type Answer, contractViolations, expectationViolations } from '../../contract/answers.ts';
import { ERRORS } from '../../lambda/answer/errors.ts';
import { type Check, NotJudged } from './check.ts';
import { VERIFY_BODY } from './plant-checks.ts';
import type { Service } from './service.ts';

const MB = 1024 * 1024;

/** Methods and paths that are no operation. The local service's own pages, which AWS does not have, are not among them. */
const UNKNOWN = [
  ['GET', '/'],
  ['POST', '/'],
  ['GET', '/plants'],
  ['DELETE', '/plants'],
  ['POST', '/plants/1/leaves'],
  ['POST', '/trees'],
] as const;

/** What only the gateway in front of the function can show: it answers these by itself, or passes them on. */
export function gatewayChecks(): Check[] {
  return [
    ...UNKNOWN.flatMap(([method, path]) => unknownChecks(method, path)),
    headCheck(),
    idsCheck(),
    ...sizeChecks(),
  ];
}

const group = 'the gateway';

function unknownChecks(method: string, path: string): Check[] {
  const check = (rule: string, error: number, header: (service: Service) => string | undefined): Check => ({
    group,
    rule,
    run: async (service) => {
      const authorization = header(service);
      const headers: [string, string][] =
        authorization === undefined ? [] : [['authorization', authorization]];
      const answer = await service.send({ method, path, headers });
      return [...contractViolations(answer), ...refusalViolations(answer, error)];
    },
  });
  const { NO_SUCH_OPERATION, REFUSED_BY_GATEWAY } = ERRORS;
  const what = `${method} ${path}`;
  return [
    check(`${what} without a token is no operation`, NO_SUCH_OPERATION.error, () => undefined),
    check(
      `${what} with a valid token is refused by the gateway`,
      REFUSED_BY_GATEWAY.error,
      ({ tokens }) => `Bearer ${tokens.token}`,
    ),
    check(
      `${what} with no token of ours is refused by the gateway`,
      REFUSED_BY_GATEWAY.error,
      () => 'Bearer x',
    ),
  ];
}

function refusalViolations(answer: Answer, error: number): string[] {
  const expected = { status: 400, error, message: undefined, absent: undefined } as const;
  return expectationViolations({ expected }, answer);
}

function headCheck(): Check {
  return {
    group,
    rule: 'HEAD is answered with the status and the headers of any refusal, and no body',
    run: async (service) => {
      const answer = await service.send({ method: 'HEAD' });
      const { error, message } = ERRORS.NO_SUCH_OPERATION;
      const wrong = answer.body === '' ? [] : ['there is a body'];
      return [...wrong, ...contractViolations({ ...answer, body: JSON.stringify({ error, message }) })];
    },
  };
}

function idsCheck(): Check {
  return {
    group,
    rule: 'every answer has a request id of its own',
    run: async (service) => {
      const plain = () => service.send({ method: 'GET' });
      const answers = [
        await plain(),
        await plain(),
        await service.create(VERIFY_BODY),
        await service.create('{}'),
      ];
      const ids = answers.map(({ headers }) => headers['x-request-id']);
      return new Set(ids).size === ids.length ? [] : [`the request ids are ${ids.join(', ')}`];
    },
  };
}

/** White space only: were a part of it accepted, it still would be no plant. */
function sizeChecks(): Check[] {
  return [2, 4.5, 5, 9.5, 11].map((size) => ({
    group,
    rule: `a body of ${size} MB is refused as too large`,
    run: async (service) => {
      const answer = await sendLarge(service, Buffer.alloc(size * MB, ' '));
      if (size > 4 && answer.status === 413)
        throw new NotJudged('AWS answers 413 by itself, which is out of anyone’s hands');
      return [...contractViolations(answer), ...refusalViolations(answer, ERRORS.TOO_LARGE.error)];
    },
  }));
}

async function sendLarge(service: Service, body: Buffer): Promise<Answer> {
  const headers: [string, string][] = [
    ['content-type', 'application/json'],
    ['authorization', `Bearer ${service.tokens.token}`],
  ];
  try {
    return await service.sendOnce({ headers, body });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EPIPE' && code !== 'ECONNRESET') throw error;
    throw new NotJudged(
      `the connection was closed during the upload (${code}), which is out of anyone’s hands`,
    );
  }
}
