import { bodyOf, LEAST, OTHER } from '../contract/examples.ts';
import { contractViolations, errorOf, judgeResponse, type Violation } from '../contract/judge-response.ts';
import { newId, VERIFY_BODY } from '../contract/reserved-ids.ts';
import type { HttpResponse } from '../contract/send-http.ts';
import { NO_WRITE, type Permission } from './permission.ts';
import type { Check } from './run-checks.ts';
import { NotJudged, type ServiceUnderTest } from './service-under-test.ts';

/** What cannot be written as a contract case: it compares several responses, or depends on the stage. */
export function gatewayAndRaceChecks({ write, origins }: Permission): Check[] {
  const notJudged = write ? undefined : NO_WRITE;
  return [
    { group: 'the gateway', rule: 'every response has a different request id', run: judgeRequestIds },
    {
      group: 'the gateway',
      rule: 'a page of an origin that is not allowed can read no response',
      run: (service) => judgeOrigin(service, origins),
    },
    {
      group: 'races',
      rule: 'of different plants sent at once with one new id, exactly one is stored and the others are refused',
      notJudged,
      run: raceForOneId,
    },
  ];
}

async function judgeRequestIds(service: ServiceUnderTest): Promise<Violation[]> {
  const responses: HttpResponse[] = [];
  const get = { method: 'GET' };
  for (const request of [get, get, service.post(VERIFY_BODY), service.post('{}')])
    responses.push(await service.send(request));
  const ids = responses.map(({ headers }) => headers['x-request-id']);
  return new Set(ids).size === ids.length ? [] : [{ sentence: `the request ids are ${ids.join(', ')}` }];
}

/** Nobody can have it (RFC 2606, section 2). */
const STRANGER = 'https://stranger.invalid';

/** @param origins the allowed origins, if they are known */
async function judgeOrigin(service: ServiceUnderTest, origins?: readonly string[]): Promise<Violation[]> {
  const expected = origins?.includes('*') ? '*' : undefined;
  const { headers: usual = [], body } = service.post(VERIFY_BODY);
  const headers = [...usual, ['origin', STRANGER], ['access-control-request-method', 'POST']] as const;
  const wrong: Violation[] = [];
  for (const method of ['POST', 'OPTIONS']) {
    const response = await service.send({ method, headers, body });
    const { headers: found } = response;
    const allowed = found['access-control-allow-origin'];
    const report = (what: string) =>
      wrong.push({ sentence: `${method} allows ${what}`, requestId: found['x-request-id'] });
    if (found['access-control-allow-credentials'] !== undefined) report('credentials');
    else if (allowed === '*' && !origins)
      throw new NotJudged('only --stage knows whether every origin is allowed');
    if (allowed !== expected) report(`the origin ${allowed}`);
  }
  return wrong;
}

/** Each of two plants is sent by every second of them. */
const RACERS = 10;

async function raceForOneId(service: ServiceUnderTest): Promise<Violation[]> {
  const id = newId();
  const plants = [LEAST, OTHER];
  const bodies = Array.from({ length: RACERS }, (_, n) => bodyOf(id, plants[n % 2]));
  const responses = await Promise.all(bodies.map((body) => service.create(body)));
  const wrong = responses.flatMap(contractViolations);
  const winner = responses.findIndex(({ status }) => status === 200) % 2;
  const isRight = responses.every((response, n) =>
    n % 2 === winner ? response.status === 200 : errorOf(response) === 40901,
  );
  if (!isRight)
    return [
      ...wrong,
      { sentence: 'not every request for one plant got 200, and every one for the other 40901' },
    ];
  const [plant, loser] = winner === 0 ? [LEAST, OTHER] : [OTHER, LEAST];
  return [
    ...wrong,
    ...judgeResponse(await service.create(bodyOf(id, plant)), { status: 200, text: JSON.stringify(plant) }),
    ...judgeResponse(await service.create(bodyOf(id, loser)), { status: 400, error: 40901 }),
  ];
}
