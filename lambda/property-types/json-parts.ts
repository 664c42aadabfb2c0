/** A string, or what opens, closes or divides a list or an object. No input makes it slow. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},]/g;

/** The JSON texts of an object's members by name. @param json an object that {@link parseJson} has accepted */
export function membersOf(json: string): Map<string, string> {
  return new Map(
    partsOf(json).map((part) => {
      const [name] = part.match(TOKEN) as [string];
      return [JSON.parse(name), part.slice(name.length).replace(/^\s*:\s*/, '')];
    }),
  );
}

/** The JSON texts between the commas of a list or an object. @param json one that {@link parseJson} has accepted */
export function partsOf(json: string): string[] {
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
