import { type PropertyType, wrong } from './property-type.ts';

/** True or false. */
export function boolean(): PropertyType<boolean> {
  const mustBe = 'true or false';
  return {
    schema: { type: 'boolean' },
    mustBe,
    read(json, place) {
      if (json !== 'true' && json !== 'false') throw wrong(place, mustBe);
      return json === 'true';
    },
    decode: (attribute) => attribute?.BOOL,
  };
}
