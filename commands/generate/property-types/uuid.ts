import type { PropertyType } from '../../../lambda/property-types/property-type.ts';
import { textOf } from './pattern.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A UUID of any version (RFC 9562 §4). It is kept as it was written: in upper case it is another text. */
export function uuid(): PropertyType<string> {
  const mustBe = 'a UUID, such as 019a2f3e-7c1d-7b52-8a44-3f2b1c0d9e8f';
  return textOf({ format: 'uuid' }, mustBe, (value) => UUID.test(value));
}
