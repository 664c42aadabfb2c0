import { isMap, isNode, LineCounter, parseDocument } from 'yaml';
import type { Schema } from '../../contract/openapi.ts';

/** The properties of the model, by name: whatever the contract stores, its schema begins with New. */
export function propertiesOf(contract: string): Map<string, { line: number; schema: Schema }> {
  const lineCounter = new LineCounter();
  const document = parseDocument(contract, { lineCounter });
  const schemas = document.getIn(['components', 'schemas']);
  const model = isMap(schemas) && schemas.items.find(({ key }) => /^New[A-Z]/.test(String(key)))?.value;
  const properties = isMap(model) && model.get('properties');
  return new Map(
    (isMap(properties) ? properties.items : []).map(({ key, value }) => {
      const [start = 0] = (isNode(key) && key.range) || [];
      const schema = isNode(value) ? value.toJS(document) : {};
      return [String(key), { line: lineCounter.linePos(start).line, schema }];
    }),
  );
}
