import { bodyOf, EXAMPLES, LEAST, OTHER, type Plant, WHOLE } from '../../contract/examples.ts';
import { contractViolations, errorOf } from '../../contract/judge-response.ts';
import type { Check } from './check.ts';
import { newId, VERIFY_IDS } from './ids.ts';
import { judged, type RunningService } from './running-service.ts';

/** The response to another plant with a taken id. */
const TAKEN = { status: 400, error: 40901 } as const;

/** The one plant that a verification without `--write` creates: the same in every run, so only the first run adds it. */
export const VERIFY_BODY = bodyOf(VERIFY_IDS.first, WHOLE);

const group = 'the verify plant';
const judgePlant = (service: RunningService) => service.expect(VERIFY_BODY, { status: 200, plant: WHOLE });

/** Other plants with the id of the verify plant. */
const OTHERS = Object.keys(EXAMPLES).flatMap((name): [what: string, plant: Plant][] => {
  const { [name]: _, ...others } = WHOLE;
  const changed: [string, Plant] = [`another ${name} with its id`, { ...WHOLE, [name]: EXAMPLES[name]?.[1] }];
  return name in LEAST ? [changed] : [changed, [`the plant without its ${name}`, others]];
});

/** Creates and repeats the verify plant; other plants with its id must not overwrite it. */
export function plantChecks(): Check[] {
  return [
    { group, rule: 'the response is the plant without its id', run: judgePlant },
    { group, rule: 'the same plant again gets the same response', run: judgePlant },
    ...OTHERS.map(([what, plant]) => ({
      group,
      rule: `${what} is refused, and overwrites nothing`,
      run: async (service: RunningService) => [
        ...(await service.expect(bodyOf(VERIFY_IDS.first, plant), TAKEN)),
        ...(await judgePlant(service)),
      ],
    })),
  ];
}

/** A cache in front must not respond to what was just stored. Its invalid token may set off an alarm. */
export function tokenCheck(): Check {
  return { group, rule: 'the same request is refused without its token', run: judgeTokens };
}

async function judgeTokens(service: RunningService): Promise<string[]> {
  const wrong = await judgePlant(service);
  const type = ['content-type', 'application/json'] as const;
  const unknown = ['authorization', `Bearer ${service.tokens.unknown}`] as const;
  const withoutToken = await service.send({ headers: [type], body: VERIFY_BODY });
  const withUnknown = await service.send({ headers: [type, unknown], body: VERIFY_BODY });
  wrong.push(...judged(withoutToken, { status: 400, error: 40101 }));
  return [...wrong, ...judged(withUnknown, { status: 400, error: 40102 })];
}

const RACERS = 10;

/** Plants sent at the same time with one new id. */
export function raceChecks(): Check[] {
  const rule =
    'of different plants sent at once with one new id, exactly one is stored and the others are refused';
  return [
    {
      group: 'races',
      rule: 'the same plant sent many times at once gets 200 every time',
      run: raceWithOnePlant,
    },
    { group: 'races', rule, run: raceForOneId },
  ];
}

async function raceWithOnePlant(service: RunningService): Promise<string[]> {
  const body = bodyOf(newId());
  const responses = await Promise.all(Array.from({ length: RACERS }, () => service.create(body)));
  const others = responses.filter(({ status }) => status !== 200);
  return [...responses.flatMap(contractViolations), ...others.map((response) => `returned ${response.body}`)];
}

async function raceForOneId(service: RunningService): Promise<string[]> {
  const id = newId();
  // Each plant is sent by every second of them.
  const bodies = Array.from({ length: RACERS }, (_, n) => bodyOf(id, n % 2 === 0 ? LEAST : OTHER));
  const responses = await Promise.all(bodies.map((body) => service.create(body)));
  const wrong = responses.flatMap(contractViolations);
  const winner = responses.findIndex(({ status }) => status === 200);
  const isRight = responses.every((response, n) =>
    (n - winner) % 2 === 0 ? response.status === 200 : errorOf(response) === TAKEN.error,
  );
  const [plant, loser] = winner % 2 === 0 ? [LEAST, OTHER] : [OTHER, LEAST];
  if (!isRight)
    return [...wrong, 'not every request for one plant got 200, and every one for the other 40901'];
  const stored = await service.expect(bodyOf(id, plant), { status: 200, plant });
  return [...wrong, ...stored, ...(await service.expect(bodyOf(id, loser), TAKEN))];
}
