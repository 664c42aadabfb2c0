import { bodyOf, LEAST, OTHER } from '../../contract/examples.ts';
import { contractViolations, errorOf, type HttpResponse } from '../../contract/judge-response.ts';
import type { Check } from './check.ts';
import { newId } from './ids.ts';
import { TAKEN } from './plant-checks.ts';
import type { RunningService } from './running-service.ts';

const RACERS = 10;

/** Races: plants sent at the same time with one new id. */
export function raceChecks(): Check[] {
  const group = 'races';
  return [
    { group, rule: 'the same plant sent many times at once gets 200 every time', run: raceWithOnePlant },
    {
      group,
      rule: 'of different plants sent at once with one new id, exactly one is stored and the others are refused',
      run: raceForOneId,
    },
  ];
}

async function raceWithOnePlant(service: RunningService): Promise<string[]> {
  const body = bodyOf(newId());
  const responses = await race(service, Array<string>(RACERS).fill(body));
  const others = responses.filter(({ status }) => status !== 200);
  return [...responses.flatMap(contractViolations), ...others.map((response) => `returned ${response.body}`)];
}

async function raceForOneId(service: RunningService): Promise<string[]> {
  const id = newId();
  const bodies = Array.from({ length: RACERS }, (_, n) => bodyOf(id, n % 2 === 0 ? LEAST : OTHER));
  const responses = await race(service, bodies);
  const wrong = responses.flatMap(contractViolations);
  const winner = responses.findIndex(({ status }) => status === 200);
  // Each plant is sent by every second of them.
  const isRight = responses.every((response, n) =>
    (n - winner) % 2 === 0 ? response.status === 200 : errorOf(response) === TAKEN.error,
  );
  const [plant, loser] = winner % 2 === 0 ? [LEAST, OTHER] : [OTHER, LEAST];
  if (!isRight)
    return [...wrong, 'not every request for one plant got 200, and every one for the other 40901'];
  const stored = await service.expect(bodyOf(id, plant), { status: 200, plant });
  return [...wrong, ...stored, ...(await service.expect(bodyOf(id, loser), TAKEN))];
}

function race(service: RunningService, bodies: readonly string[]): Promise<HttpResponse[]> {
  return Promise.all(bodies.map((body) => service.create(body)));
}
