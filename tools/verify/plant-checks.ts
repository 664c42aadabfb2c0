import { contractViolations, expectationViolations } from '../../contract/answers.ts';
import { ERRORS } from '../../lambda/answer/errors.ts';
import type { Check } from './check.ts';
import { VERIFY_IDS } from './ids.ts';
import type { Service } from './service.ts';

/** The one plant that a verification without `--write` creates: always the same, so that only the first run adds it. */
export const VERIFY_PLANT = { name: 'Verify', tag: 'npm run verify' } as const;

/** The body that creates {@link VERIFY_PLANT}. */
export const VERIFY_BODY = bodyOf(VERIFY_IDS.first, VERIFY_PLANT);

/** A create of the verify plant, its repeats, and other plants under its id, which must not overwrite it. */
export function plantChecks(): Check[] {
  const group = 'the verify plant';
  const is200 = (service: Service) => expectPlant(service, VERIFY_BODY, VERIFY_PLANT);
  const taken = (plant: { name: string; tag?: string }) => async (service: Service) => [
    ...(await expectTaken(service, bodyOf(VERIFY_IDS.first, plant))),
    ...(await is200(service)),
  ];
  return [
    { group, rule: 'a plant is answered without its id', run: is200 },
    { group, rule: 'the same plant again is answered as the first time', run: is200 },
    {
      group,
      rule: 'another name under its id is refused, and overwrites nothing',
      run: taken({ ...VERIFY_PLANT, name: 'Other' }),
    },
    {
      group,
      rule: 'another tag under its id is refused, and overwrites nothing',
      run: taken({ ...VERIFY_PLANT, tag: 'other' }),
    },
    {
      group,
      rule: 'its tag left out is refused, and overwrites nothing',
      run: taken({ name: VERIFY_PLANT.name }),
    },
  ];
}

/** The body that creates a plant; `JSON` alone cannot write an int64. */
export function bodyOf(id: bigint | string, plant: { name: string; tag?: string }): string {
  return `{"id":${id},${JSON.stringify(plant).slice(1)}`;
}

/** What is wrong when a body should be answered with a plant. */
export async function expectPlant(
  service: Service,
  body: string,
  plant: { name: string; tag?: string },
): Promise<string[]> {
  const answer = await service.create(body);
  const expected = { status: 200, plant, stored: undefined } as const;
  return [...contractViolations(answer), ...expectationViolations({ expected }, answer)];
}

/** What is wrong when a body should be refused because its id is taken. */
export async function expectTaken(service: Service, body: string): Promise<string[]> {
  const answer = await service.create(body);
  const { error } = ERRORS.ID_TAKEN;
  const expected = { status: 400, error, message: undefined, absent: undefined } as const;
  return [...contractViolations(answer), ...expectationViolations({ expected }, answer)];
}
