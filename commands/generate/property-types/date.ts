import type { PropertyType } from '../../../lambda/property-types/property-type.ts';
import { ofCalendar } from './date-time.ts';

const DATE = /^(\d{4})-(0[1-9]|1[0-2])-(\d\d)$/;

/** A date without a time (RFC 3339 §5.6, `full-date`). */
export function date(): PropertyType<string> {
  return ofCalendar('date', DATE, 'a date of RFC 3339, such as 2026-07-01');
}
