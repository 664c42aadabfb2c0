import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** openapi.yaml, parsed. */
export const OPENAPI = parse(readFileSync(new URL('openapi.yaml', import.meta.url), 'utf8'));
