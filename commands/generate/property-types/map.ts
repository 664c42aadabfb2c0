import { type PropertyType, wrong } from '../../../lambda/property-types/property-type.ts';

/** Not every text: lib-dynamodb loses an entry `__proto__`, and DynamoDB refuses an empty name. */
export const MAP_NAME = '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$';

/**
 * Values of one type under names that the client chooses. They have no order: they are kept in that of their names.
 * @example map(text({ maxLength: 40 }), { maxProperties: 10 })
 */
export function map<Value>(
  values: PropertyType<Value>,
  limits: { maxProperties: number },
): PropertyType<ReadonlyMap<string, Value>> {
  const mustBe = `an object of at most ${limits.maxProperties} properties, whose names are up to 64 letters, digits and _.-`;
  const isName = new RegExp(MAP_NAME);
  return {
    schema: {
      type: 'object',
      additionalProperties: values.schema,
      propertyNames: { pattern: MAP_NAME },
      ...limits,
    },
    mustBe,
    read(sent, place) {
      if (!(sent instanceof Map) || sent.size > limits.maxProperties) throw wrong(place, mustBe);
      const entries = [...sent].map(([name, value]): [string, Value] => {
        if (!isName.test(name)) throw wrong(place, mustBe);
        // A message quotes nothing of the request.
        return [name, values.read(value, { path: `${place.path}.*` })];
      });
      return inOrder(entries);
    },
    decode(attribute) {
      const entries = Object.entries(attribute?.M ?? {}).map(([name, value]): [string, Value | undefined] => [
        name,
        values.decode(value),
      ]);
      const isWhole = attribute?.M && entries.every(([, value]) => value !== undefined);
      return isWhole ? inOrder(entries as [string, Value][]) : undefined;
    },
  };
}

/** By code units, so that the same map is always written alike. */
function inOrder<Value>(entries: [string, Value][]): ReadonlyMap<string, Value> {
  return new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
