import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';

/** openapi.yaml as text. */
export const OPENAPI_YAML = readFileSync(new URL('openapi.yaml', import.meta.url), 'utf8');

/** openapi.yaml, parsed. */
export const OPENAPI = parse(OPENAPI_YAML);

/** The schemas of openapi.yaml, compiled: what they call valid is what the contract says. */
export const SCHEMAS: Readonly<Record<'Plant' | 'NewPlant' | 'Error', ValidateFunction>> = compileSchemas();

function compileSchemas() {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addFormat('int32', {
    type: 'number',
    validate: (n: number) => Number.isInteger(n) && Math.abs(n) < 2 ** 31,
  });
  ajv.addFormat('int64', { type: 'number', validate: Number.isInteger });
  ajv.addSchema(OPENAPI, 'openapi.yaml');
  const schema = (name: string) => ajv.compile({ $ref: `openapi.yaml#/components/schemas/${name}` });
  return { Plant: schema('Plant'), NewPlant: schema('NewPlant'), Error: schema('Error') };
}
