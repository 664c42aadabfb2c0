import { contractViolations, errorOf, type HttpResponse } from '../../contract/judge-response.ts';
import type { Check } from './check.ts';
import { newId } from './ids.ts';
import { bodyOf, TAKEN } from './plant-checks.ts';
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
  const body = bodyOf(newId(), { name: 'Race' });
  const responses = await race(service, Array<string>(RACERS).fill(body));
  const others = responses.filter(({ status }) => status !== 200);
  return [...responses.flatMap(contractViolations), ...others.map((response) => `returned ${response.body}`)];
}

async function raceForOneId(service: RunningService): Promise<string[]> {
  const id = newId();
  const plants = Array.from({ length: RACERS }, (_, n) => ({ name: 'Race', tag: `runner ${n}` }));
  const bodies = plants.map((plant) => bodyOf(id, plant));
  const responses = await race(service, bodies);
  const wrong = responses.flatMap(contractViolations);
  const winner = responses.findIndex(({ status }) => status === 200);
  const losers = responses.filter((response) => errorOf(response) === 40901).length;
  const [plant, body, loser] = [plants[winner], bodies[winner], bodies.find((_, n) => n !== winner)];
  if (losers !== RACERS - 1 || !plant || !body || !loser)
    return [...wrong, `${losers} of ${RACERS} got error 40901, not all but one`];
  const stored = await service.expect(body, { status: 200, plant });
  return [...wrong, ...stored, ...(await service.expect(loser, TAKEN))];
}

function race(service: RunningService, bodies: readonly string[]): Promise<HttpResponse[]> {
  return Promise.all(bodies.map((body) => service.create(body)));
}
