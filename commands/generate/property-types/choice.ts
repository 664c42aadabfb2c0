import { type PropertyType, wrong } from '../../../lambda/property-types/property-type.ts';

/** So many characters of values fit into a message. */
const SHOWN = 100;

/**
 * One of some texts. Their case matters.
 * @example choice('single', 'double')
 */
export function choice<const Value extends string>(...values: readonly Value[]): PropertyType<Value> {
  const listed = values.map((value) => JSON.stringify(value)).join(', ');
  const mustBe =
    listed.length <= SHOWN ? `one of ${listed}` : `one of the ${values.length} texts in the contract`;
  const find = (text: unknown) => values.find((value) => value === text);
  return {
    schema: { type: 'string', enum: values },
    mustBe,
    read(value, place) {
      const found = find(value);
      if (found === undefined) throw wrong(place, mustBe);
      return found;
    },
    decode: (attribute) => find(attribute?.S),
  };
}
