/** Generates the types; `id` becomes a bigint instead of a number. */
import { writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const bigint = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword);
const types = await openapiTS(new URL('openapi.yaml', import.meta.url), {
  transform: (schema) => (schema.format === 'int64' ? bigint : undefined),
});
writeFileSync('schema.d.ts', astToString(types));
