import { type Answer, contractViolations, errorOf } from '../service/judge-answer.ts';
import type { RunningService } from '../service/running-service.ts';
import type { Check } from './check.ts';
import { newId } from './ids.ts';
import { bodyOf, TAKEN } from './plant-checks.ts';

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
  const answers = await race(service, Array<string>(RACERS).fill(body));
  const others = answers.filter(({ status }) => status !== 200);
  return [...answers.flatMap(contractViolations), ...others.map((answer) => `answered ${answer.body}`)];
}

async function raceForOneId(service: RunningService): Promise<string[]> {
  const id = newId();
  const plants = Array.from({ length: RACERS }, (_, n) => ({ name: 'Race', tag: `runner ${n}` }));
  const bodies = plants.map((plant) => bodyOf(id, plant));
  const answers = await race(service, bodies);
  const wrong = answers.flatMap(contractViolations);
  const winner = answers.findIndex(({ status }) => status === 200);
  const losers = answers.filter((answer) => errorOf(answer) === 40901).length;
  const [plant, body, loser] = [plants[winner], bodies[winner], bodies.find((_, n) => n !== winner)];
  if (losers !== RACERS - 1 || !plant || !body || !loser)
    return [...wrong, `${losers} of ${RACERS} got error 40901, not all but one`];
  return [
    ...wrong,
    ...(await service.expect(body, { status: 200, plant })),
    ...(await service.expect(loser, TAKEN)),
  ];
}

function race(service: RunningService, bodies: readonly string[]): Promise<Answer[]> {
  return Promise.all(bodies.map((body) => service.create(body)));
}
