import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** openapi.yaml, parsed. */
export const OPENAPI = parse(readFileSync(new URL('openapi.yaml', import.meta.url), 'utf8'));

/** The operations of openapi.yaml: the method in upper case, and the path. */
export const OPERATIONS = Object.entries<Record<string, object>>(OPENAPI.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
);
