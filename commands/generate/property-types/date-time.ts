import type { PropertyType } from '../../../lambda/property-types/property-type.ts';
import { textOf } from './pattern.ts';

const DATE_TIME =
  /^(\d{4})-(0[1-9]|1[0-2])-(\d\d)[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * A date and a time with its offset (RFC 3339 §5.6), but no leap second. It is kept as it was written: the same moment with another
 * offset is another value.
 */
export function dateTime(): PropertyType<string> {
  return ofCalendar('date-time', DATE_TIME, 'a date and time of RFC 3339, such as 2026-07-01T08:30:00+02:00');
}

/** A text of a form, which begins with a day of the calendar. @param form matches year, month and day */
export function ofCalendar(format: string, form: RegExp, mustBe: string): PropertyType<string> {
  return textOf({ format }, mustBe, (value) => isDay(form.exec(value)));
}

/** Whether year, month and day of a match are a day of the calendar. */
function isDay(match: RegExpExecArray | null): boolean {
  const [, year, month, day] = match ?? [];
  return Number(day) >= 1 && Number(day) <= lastDay(Number(year), Number(month));
}

/** The last day of a month: the day 0 of the next one. Years repeat every 400; Date.UTC reads those below 100 as 1900 and later. */
function lastDay(year: number, month: number): number {
  return new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}
