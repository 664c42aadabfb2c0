// What the function does with the values of all properties, whatever their types in property-types/.

/** The JSON text of a value. Of one value, it is always the same. JSON.stringify cannot write an int64. */
export function jsonOf(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(jsonOf)}]`;
  return `{${Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}:${jsonOf(each)}`)}}`;
}

/**
 * How many bytes a value may take in an item (developer guide, "DynamoDB Item sizes and formats"). A list or an object takes 3, and 1
 * for each of its values.
 */
export function bytesInItem(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'boolean') return 1;
  // 10 for the 19 digits of an int64 and 1 more; AWS says "approximately", so 1 for a sign.
  if (typeof value !== 'object' || value === null) return 12;
  const names = Array.isArray(value) ? [] : Object.keys(value);
  const parts = [...names, ...Object.values(value)];
  return 3 + Object.keys(value).length + parts.reduce<number>((sum, part) => sum + bytesInItem(part), 0);
}
