import { matching } from './pattern.ts';
import type { PropertyType } from './property-type.ts';

/** What the HTML Standard takes for a valid address ("Valid e-mail address"), with a dot in its domain. Each part has one way to match. */
const EMAIL =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/i;

/** An e-mail address. Whether somebody reads it, only a message to it can tell. */
export function email(): PropertyType<string> {
  // RFC 5321 §4.5.3.1.3, without the angle brackets.
  return matching(
    { type: 'string', format: 'email' },
    EMAIL,
    'an e-mail address, such as anna@example.com',
    254,
  );
}
