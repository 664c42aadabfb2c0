import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** openapi.yaml as text. */
export const OPENAPI_YAML = readFileSync(new URL('openapi.yaml', import.meta.url), 'utf8');

/** openapi.yaml, parsed. */
export const OPENAPI = parse(OPENAPI_YAML);
