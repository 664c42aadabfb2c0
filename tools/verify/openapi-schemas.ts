import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { OPENAPI } from '../../contract/openapi.ts';

/** The schemas of openapi.yaml, compiled. */
export const SCHEMAS: Readonly<Record<'Plant' | 'NewPlant' | 'Error', ValidateFunction>> = compileSchemas();

function compileSchemas() {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addFormat('int32', {
    type: 'number',
    validate: (n: number) => Number.isInteger(n) && n >= -(2 ** 31) && n < 2 ** 31,
  });
  ajv.addFormat('int64', { type: 'number', validate: Number.isInteger });
  ajv.addSchema(OPENAPI, 'openapi.yaml');
  const schema = (name: string) => ajv.compile({ $ref: `openapi.yaml#/components/schemas/${name}` });
  return { Plant: schema('Plant'), NewPlant: schema('NewPlant'), Error: schema('Error') };
}
