import { integer } from '../../../lambda/property-types/integer.ts';
import type { PropertyType } from '../../../lambda/property-types/property-type.ts';

/** An int32, within limits if there are any. */
export function int32(limits: { minimum?: number; maximum?: number } = {}): PropertyType<bigint> {
  const type = integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1, ...limits });
  return { ...type, schema: { type: 'integer', format: 'int32', ...limits } };
}
