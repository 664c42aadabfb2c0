import { type PropertyType, wrong } from './property-type.ts';

/** A string, or what opens, closes or divides lists and objects. No input makes it slow. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},]/g;

/**
 * A list of values of one type. Their order matters.
 * @example list(text({ maxLength: 40 }), { maxItems: 10 })
 */
export function list<Value>(
  items: PropertyType<Value>,
  limits: { minItems?: number; maxItems: number },
): PropertyType<readonly Value[]> {
  const { minItems = 0, maxItems } = limits;
  const mustBe = `a list of ${minItems === 0 ? 'at most' : `${minItems} to`} ${maxItems} items`;
  return {
    schema: { type: 'array', items: items.schema, ...limits },
    mustBe,
    read(json, place) {
      const parts = json.startsWith('[') ? partsOf(json) : undefined;
      if (!parts || parts.length < minItems || parts.length > maxItems) throw wrong(place, mustBe);
      return parts.map((part, index) => items.read(part, { path: `${place.path}[${index}]` }));
    },
    decode(attribute) {
      const values = attribute?.L?.map(items.decode);
      return values?.includes(undefined) ? undefined : (values as Value[] | undefined);
    },
  };
}

/** The JSON texts between the commas of a list. @param json a list that {@link parseJson} has accepted */
function partsOf(json: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 1;
  for (const { 0: token, index } of json.matchAll(TOKEN)) {
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    if (depth === 0 || (depth === 1 && token === ',')) {
      parts.push(json.slice(start, index).trim());
      start = index + 1;
    }
  }
  return parts[0] === '' ? [] : parts;
}
