/**
 * How many bytes an item may take: its names and values (developer guide, "DynamoDB Item sizes and formats").
 * @param item an item, or an object in one
 */
export function itemBytes(item: object): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + bytesOf(value),
    0,
  );
}

function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'boolean') return 1;
  // 10 for the 19 digits of an int64 and 1 more; AWS says "approximately", so 1 for a sign.
  if (typeof value !== 'object' || value === null) return 12;
  // A list or an object takes 3, and 1 for each of its values.
  if (Array.isArray(value)) return value.reduce((sum, each) => sum + 1 + bytesOf(each), 3);
  if (value instanceof Map)
    return [...value].reduce((sum, [name, each]) => sum + 1 + Buffer.byteLength(name) + bytesOf(each), 3);
  return 3 + Object.keys(value).length + itemBytes(value);
}
