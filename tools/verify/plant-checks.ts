import type { Check } from './check.ts';
import { VERIFY_IDS } from './ids.ts';
import type { Service } from './service.ts';

/** A plant without its id. */
export interface BarePlant {
  readonly name: string;
  readonly tag?: string;
}

/** What another plant under a taken id is answered. */
export const TAKEN = { status: 400, error: 40901 } as const;

const PLANT = { name: 'Verify', tag: 'npm run verify' } as const;

/** The body of the one plant that a verification without `--write` creates: always the same, so only the first run adds it. */
export const VERIFY_BODY = bodyOf(VERIFY_IDS.first, PLANT);

/** A create of the verify plant, its repeats, and other plants under its id, which must not overwrite it. */
export function plantChecks(): Check[] {
  const group = 'the verify plant';
  const is200 = (service: Service) => service.expect(VERIFY_BODY, { status: 200, plant: PLANT });
  const refused = (rule: string, other: BarePlant): Check => ({
    group,
    rule: `${rule} is refused, and overwrites nothing`,
    run: async (service) => [
      ...(await service.expect(bodyOf(VERIFY_IDS.first, other), TAKEN)),
      ...(await is200(service)),
    ],
  });
  return [
    { group, rule: 'a plant is answered without its id', run: is200 },
    { group, rule: 'the same plant again gets the same answer', run: is200 },
    refused('another name under its id', { ...PLANT, name: 'Other' }),
    refused('another tag under its id', { ...PLANT, tag: 'other' }),
    refused('its tag left out', { name: PLANT.name }),
  ];
}

/** The body that creates a plant; `JSON` alone cannot write an int64. */
export function bodyOf(id: bigint | string, plant: BarePlant): string {
  return `{"id":${id},${JSON.stringify(plant).slice(1)}`;
}
