import { isMap, LineCounter, parseDocument } from 'yaml';

/** The lines of the contract at which a property of the model has one of these names. */
export function propertiesNamed(
  contract: string,
  names: readonly string[],
): { name: string; line: number }[] {
  const lineCounter = new LineCounter();
  const document = parseDocument(contract, { lineCounter });
  const schemas = document.getIn(['components', 'schemas']);
  return (isMap(schemas) ? schemas.items : [])
    .filter(({ key }) => /^New[A-Z]/.test(String(key)))
    .flatMap(({ value }) => {
      const properties = isMap(value) ? value.get('properties') : undefined;
      return isMap(properties) ? properties.items : [];
    })
    .flatMap(({ key }) => {
      const [start = 0] = Object(key).range ?? [];
      const name = String(key);
      return names.includes(name) ? [{ name, line: lineCounter.linePos(start).line }] : [];
    });
}
