import type { PropertyType } from '../../../lambda/property-types/property-type.ts';
import { textOf } from './pattern.ts';

/** What the HTML Standard takes for a valid address ("Valid e-mail address"), with a dot in its domain. Each part has one way to match. */
const EMAIL =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/i;

/** An e-mail address. Whether somebody reads it, only a message to it can tell. */
export function email(): PropertyType<string> {
  const mustBe = 'an e-mail address, such as anna@example.com';
  // The length is that of RFC 5321 §4.5.3.1.3, without the angle brackets.
  return textOf({ format: 'email' }, mustBe, (value) => value.length <= 254 && EMAIL.test(value));
}
