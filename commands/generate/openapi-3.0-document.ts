import { parse, stringify } from 'yaml';
import type { Document } from './document.ts';

const HEAD = '# openapi.yaml, for tools that read OpenAPI 3.0 only. `npm run generate` makes it.\n';

/**
 * Makes the contract in OpenAPI 3.0, in which a schema has one example and no `const`, a license a URL for its identifier, and the whole
 * no summary.
 * @param contract the text of openapi.yaml
 */
export function openapi30Document(contract: string): Document {
  const { openapi: _, info, ...rest } = parse(contract);
  const { summary: __, license, ...others } = info;
  const { name, identifier } = license;
  const inInfo = { ...others, license: { name, url: `https://spdx.org/licenses/${identifier}.html` } };
  const document = withSchemas({ openapi: '3.0.3', info: inInfo, ...rest });
  return {
    file: 'contract/openapi-3.0.yaml',
    text: HEAD + stringify(document, { lineWidth: 0, singleQuote: true }),
  };
}

/** Changes the schemas in a part of the document. They alone have a type in words; a property of that name is an object. */
function withSchemas(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withSchemas);
  if (typeof part !== 'object' || part === null) return part;
  const isSchema = 'type' in part && typeof part.type === 'string';
  const entries = Object.entries(part).map(([key, value]) => {
    if (isSchema && key === 'examples') return ['example', value[0]];
    if (isSchema && key === 'const') return ['enum', [value]];
    return [key, withSchemas(value)];
  });
  return Object.fromEntries(entries);
}
