import { jsonOf } from '../../../lambda/json.ts';
import { type PropertyType, wrong } from '../../../lambda/property-types/property-type.ts';

/**
 * A list of values of one type. Their order matters.
 * @example list(text({ maxLength: 40 }), { maxItems: 10 })
 */
export function list<Value>(
  items: PropertyType<Value>,
  limits: { minItems?: number; maxItems: number; uniqueItems?: boolean },
): PropertyType<readonly Value[]> {
  const { minItems = 0, maxItems, uniqueItems = false } = limits;
  const different = uniqueItems ? 'different ' : '';
  const mustBe = `a list of ${minItems === 0 ? 'at most' : `${minItems} to`} ${maxItems} ${different}items`;
  return {
    schema: { type: 'array', items: items.schema, ...limits },
    mustBe,
    read(value, place) {
      if (!Array.isArray(value) || value.length < minItems || value.length > maxItems)
        throw wrong(place, mustBe);
      const read = value.map((item, index) => items.read(item, { path: `${place.path}[${index}]` }));
      if (uniqueItems && new Set(read.map(jsonOf)).size < read.length) throw wrong(place, mustBe);
      return read;
    },
    decode(attribute) {
      const values = attribute?.L?.map(items.decode);
      return values?.includes(undefined) ? undefined : (values as Value[] | undefined);
    },
  };
}
