import type { PropertyType } from '../../../lambda/property-types/property-type.ts';
import { textOf } from './pattern.ts';

const CHARACTER = "[\\w.~!$&'()*+,;=:@-]|%[\\da-f]{2}";

/** Each part has one way to match, but for a user before the host. An IP literal has the characters of an IPv6 address. */
const URI = new RegExp(
  `^[a-z][a-z\\d+.-]*:(?://(?:(?:${CHARACTER.replace('@', '')})*@)?(?:\\[[\\da-f:.]+\\](?::\\d*)?|(?:${CHARACTER.replace('@', '')})*)(?=[/?#]|$)|(?!//))(?:${CHARACTER}|/)*(?:\\?(?:${CHARACTER}|[/?])*)?(?:#(?:${CHARACTER}|[/?])*)?$`,
  'i',
);

/** A URI with its scheme (RFC 3986 §3), as in `https://example.com/7` and `urn:isbn:9780306406157`. It is kept as it was written. */
export function uri(limits: { maxLength?: number } = {}): PropertyType<string> {
  const { maxLength = Infinity } = limits;
  const most = maxLength === Infinity ? '' : ` of at most ${maxLength} characters`;
  const mustBe = `a URI${most}, such as https://example.com/7`;
  return textOf(
    { format: 'uri', ...limits },
    mustBe,
    (value) => value.length <= maxLength && URI.test(value),
  );
}
