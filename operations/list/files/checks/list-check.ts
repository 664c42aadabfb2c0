import { setTimeout as pause } from 'node:timers/promises';
import { EXAMPLES, LEAST, OTHER, type Plant, PROPERTIES } from '../contract/examples.ts';
import { judgeResponse, type Violation } from '../contract/judge-response.ts';
import { idJson, RESERVED } from '../contract/key.ts';
import { pageAfter, pathOf } from '../contract/list-cases.ts';
import { NO_WRITE, type Permission } from './permission.ts';
import type { Check } from './run-checks.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

const LISTED_BY = 'status';
const [value, another] = EXAMPLES[LISTED_BY] as [unknown, unknown];

/** The same in every run, so that a second run adds none. The ids of the cases are others. */
const idOfPlant = (n: bigint) => RESERVED.first + 19_100n + n;

/** DynamoDB updates an index after the table: in all five seconds, which are more than it needs. */
const ATTEMPTS = 11;
const PAUSE_MS = 500;

/** A check of a list of plants that were just stored. It is no case: it is repeated. @param pauseMs before each repetition */
export function listCheck({ write }: Pick<Permission, 'write'>, pauseMs = PAUSE_MS): Check {
  return {
    group: 'listing plants',
    rule: 'a page has the plants with a value by id, and the token of the next page',
    notJudged: write ? undefined : NO_WRITE,
    run: (service) => judgeList(service, pauseMs),
  };
}

async function judgeList(service: ServiceUnderTest, pauseMs: number): Promise<Violation[]> {
  const stored = [
    plantWith(idOfPlant(4n), value, LEAST),
    plantWith(idOfPlant(3n), value, OTHER),
    plantWith(idOfPlant(2n), another, LEAST),
    plantWith(idOfPlant(1n), value, LEAST),
  ];
  for (const body of stored) {
    const { status, headers, body: text } = await service.create(body);
    const sentence = `the plant to be stored first got ${status} ${text}`;
    if (status !== 200) return [{ sentence, requestId: headers['x-request-id'] }];
  }
  // It begins after an id, so that it is the same whatever else the table has.
  const path = pathOf({ value, limit: '2', page: pageAfter(idOfPlant(0n), value) });
  const { headers } = service.post('');
  const plants = [stored[3], stored[1]];
  const text = `{"plants":[${plants}],"next":"${pageAfter(idOfPlant(3n), value)}"}`;
  for (let attempt = 1; ; attempt += 1) {
    const response = await service.send({ method: 'GET', path, headers });
    const violations = judgeResponse(response, { status: 200, text });
    if (violations.length === 0 || attempt === ATTEMPTS) return violations;
    await pause(pauseMs);
  }
}

/** A plant in the order of openapi.yaml, which a response has. */
function plantWith(id: bigint, value: unknown, others: Plant): string {
  const plant: Plant = { ...others, [LISTED_BY]: value };
  const members = Object.keys(PROPERTIES).flatMap((name) => {
    if (name === 'id') return [`"id":${idJson(id)}`];
    return Object.hasOwn(plant, name) ? [`${JSON.stringify(name)}:${JSON.stringify(plant[name])}`] : [];
  });
  return `{${members}}`;
}
