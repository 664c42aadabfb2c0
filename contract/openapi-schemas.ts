import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { OPENAPI } from './openapi.ts';

/**
 * The schemas of openapi.yaml, compiled. The published schemas of responses allow properties that a later version may add;
 * these do not, because this version adds none.
 */
export const SCHEMAS: Readonly<Record<'Plant' | 'NewPlant' | 'Error', ValidateFunction>> = compileSchemas();

function compileSchemas() {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addFormat('int32', {
    type: 'number',
    validate: (n: number) => Number.isInteger(n) && n >= -(2 ** 31) && n < 2 ** 31,
  });
  ajv.addFormat('int64', { type: 'number', validate: Number.isInteger });
  ajv.addSchema(OPENAPI, 'openapi.yaml');
  const schema = (name: string, rules = {}) =>
    ajv.compile({ $ref: `openapi.yaml#/components/schemas/${name}`, ...rules });
  const response = (name: 'Plant' | 'Error') =>
    schema(name, { propertyNames: { enum: Object.keys(OPENAPI.components.schemas[name].properties) } });
  return { Plant: response('Plant'), NewPlant: schema('NewPlant'), Error: response('Error') };
}
