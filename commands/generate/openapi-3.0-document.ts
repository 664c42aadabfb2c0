import { parse, stringify } from 'yaml';
import type { Document } from './document.ts';

const HEAD = '# openapi.yaml, for tools that read OpenAPI 3.0 only. `npm run generate` makes it.\n';

/**
 * Makes the contract in OpenAPI 3.0, in which a schema has one example, no `const` and no `propertyNames`, a license a URL for its identifier, and the whole
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

/** Changes the schemas in a part of the document; an example may have the names of keywords. */
function withSchemas(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withSchemas);
  if (typeof part !== 'object' || part === null) return part;
  return changed(part, (key, value) => {
    if (key === 'example' || key === 'examples') return value;
    if (key === 'schema') return schema30(Object(value));
    return key === 'schemas'
      ? changed(Object(value), (_, schema) => schema30(Object(schema)))
      : withSchemas(value);
  });
}

function changed(part: object, change: (key: string, value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, change(key, value)]));
}

/** What OpenAPI 3.0 has of a schema. It does not know what the names of a map are. */
function schema30(schema: object): object {
  const { examples, const: only, propertyNames: _, ...rest } = schema as Record<string, unknown>;
  const whole = changed(rest, (key, value) => {
    if (key === 'properties') return changed(Object(value), (_, part) => schema30(Object(part)));
    const isSchema = ['items', 'additionalProperties'].includes(key) && typeof value === 'object';
    return isSchema ? schema30(Object(value)) : value;
  });
  return {
    ...whole,
    ...('const' in schema && { enum: [only] }),
    ...(Array.isArray(examples) && { example: examples[0] }),
  };
}
