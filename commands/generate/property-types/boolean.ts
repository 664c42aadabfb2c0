import { type PropertyType, wrong } from '../../../lambda/property-types/property-type.ts';

/** True or false. */
export function boolean(): PropertyType<boolean> {
  const mustBe = 'true or false';
  return {
    schema: { type: 'boolean' },
    mustBe,
    read(value, place) {
      if (typeof value !== 'boolean') throw wrong(place, mustBe);
      return value;
    },
    decode: (attribute) => attribute?.BOOL,
  };
}
