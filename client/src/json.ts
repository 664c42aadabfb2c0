/** The JSON text of a value with bigints, which `JSON.stringify` does not accept. */
export function toJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(toJson)}]`;
  return `{${Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}:${toJson(each)}`)}}`;
}

/** Whether a received JSON value is the sent one. An object of a later version of the service may have more properties. */
export function hasAll(received: unknown, sent: unknown): boolean {
  if (typeof sent !== 'object' || sent === null) return received === sent;
  const length = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
  if (length(received) !== length(sent)) return false;
  return Object.entries(sent).every(([name, each]) => hasAll(Object(received)[name], each));
}
