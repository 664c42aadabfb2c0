import { isDay } from './date-time.ts';
import { type PropertyType, wrong } from './property-type.ts';

const DATE = /^(\d{4})-(0[1-9]|1[0-2])-(\d\d)$/;

/** A date without a time (RFC 3339 §5.6, `full-date`). */
export function date(): PropertyType<string> {
  const mustBe = 'a date of RFC 3339, such as 2026-07-01';
  return {
    schema: { type: 'string', format: 'date' },
    mustBe,
    read(value, place) {
      if (typeof value !== 'string' || !isDay(DATE.exec(value))) throw wrong(place, mustBe);
      return value;
    },
    decode: (attribute) => attribute?.S,
  };
}
