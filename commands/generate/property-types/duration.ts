import type { PropertyType } from '../../../lambda/property-types/property-type.ts';
import { textOf } from './pattern.ts';

const TIME = 'T(?:\\d+H(?:\\d+M(?:\\d+S)?)?|\\d+M(?:\\d+S)?|\\d+S)';
const DURATION = new RegExp(
  `^P(?:\\d+W|(?:\\d+Y(?:\\d+M(?:\\d+D)?)?|\\d+M(?:\\d+D)?|\\d+D)(?:${TIME})?|${TIME})$`,
);

/** A duration of ISO 8601, in the form of RFC 3339, appendix A. It is kept as it was written: `PT60M` is not `PT1H`. */
export function duration(): PropertyType<string> {
  return textOf({ format: 'duration' }, 'a duration of ISO 8601, such as P1DT12H', (value) =>
    DURATION.test(value),
  );
}
