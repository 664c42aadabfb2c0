import { OPERATIONS } from '../../contract/openapi.ts';

/** The paths of operations and those above them; the root, and any other path. */
const PATHS = new Set(['/', '/{proxy+}', ...OPERATIONS.flatMap(({ path }) => pathsTo(path))]);

/** The methods that the gateway must have: each operation, and ANY of every path, so that only the function refuses. */
export const GATEWAY_METHODS = [...OPERATIONS, ...[...PATHS].map((path) => ({ method: 'ANY', path }))];

function pathsTo(path: string): string[] {
  return path === '' ? [] : [...pathsTo(path.slice(0, path.lastIndexOf('/'))), path];
}
