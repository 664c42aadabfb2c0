import { bodyOf, EXAMPLES, LEAST, type Plant, WHOLE } from '../../contract/examples.ts';
import type { Check } from './check.ts';
import { VERIFY_IDS } from './ids.ts';
import { judged, type RunningService } from './running-service.ts';

/** The response to another plant with a taken id. */
export const TAKEN = { status: 400, error: 40901 } as const;

/** The one plant that a verification without `--write` creates: the same in every run, so only the first run adds it. */
export const VERIFY_BODY = bodyOf(VERIFY_IDS.first, WHOLE);

const group = 'the verify plant';
const is200 = (service: RunningService) => service.expect(VERIFY_BODY, { status: 200, plant: WHOLE });
const isTaken = (other: Plant) => (service: RunningService) =>
  service.expect(bodyOf(VERIFY_IDS.first, other), TAKEN);

/** Other plants with the id of the verify plant. */
const OTHERS = Object.keys(EXAMPLES).flatMap((name): [what: string, other: Plant][] => {
  const { [name]: _, ...others } = WHOLE;
  const changed: [string, Plant] = [`another ${name} with its id`, { ...WHOLE, [name]: EXAMPLES[name]?.[1] }];
  return name in LEAST ? [changed] : [changed, [`the plant without its ${name}`, others]];
});

/** Creates and repeats the verify plant; other plants with its id must not overwrite it. */
export function plantChecks(): Check[] {
  return [
    { group, rule: 'the response is the plant without its id', run: is200 },
    { group, rule: 'the same plant again gets the same response', run: is200 },
    ...OTHERS.map(([what, other]) => ({
      group,
      rule: `${what} is refused, and overwrites nothing`,
      run: async (service: RunningService) => [...(await isTaken(other)(service)), ...(await is200(service))],
    })),
  ];
}

/** A cache in front must not respond to what was just stored. Its invalid token may set off an alarm. */
export function tokenCheck(): Check {
  return { group, rule: 'the same request is refused without its token', run: judgeTokens };
}

async function judgeTokens(service: RunningService): Promise<string[]> {
  const wrong = await is200(service);
  const type = ['content-type', 'application/json'] as const;
  const unknown = ['authorization', `Bearer ${service.tokens.unknown}`] as const;
  const none = await service.send({ headers: [type], body: VERIFY_BODY });
  const other = await service.send({ headers: [type, unknown], body: VERIFY_BODY });
  wrong.push(...judged(none, { status: 400, error: 40101 }));
  return [...wrong, ...judged(other, { status: 400, error: 40102 })];
}
