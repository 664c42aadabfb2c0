import type { Schema } from '../../contract/openapi.ts';
import type { Property } from './model.ts';

/** The types of property-types/, each with the keywords that its schema may have besides `type`, and those that it needs. */
const KEYWORDS = {
  text: { may: ['minLength', 'maxLength'] },
  choice: { may: ['enum'] },
  pattern: { may: ['pattern'], needs: ['maxLength'] },
  'date-time': { may: ['format'] },
  date: { may: ['format'] },
  uuid: { may: ['format'] },
  email: { may: ['format'] },
  integer: { may: ['format', 'minimum', 'maximum'] },
  int32: { may: ['format', 'minimum', 'maximum'] },
  double: { may: ['format', 'minimum', 'maximum'] },
  decimal: { may: ['multipleOf'], needs: ['minimum', 'maximum'] },
  boolean: { may: [] },
  list: { may: ['minItems', 'uniqueItems'], needs: ['items', 'maxItems'] },
  object: { may: ['properties', 'required'] },
  map: { may: ['additionalProperties'], needs: ['maxProperties', 'propertyNames'] },
};
export type Kind = keyof typeof KEYWORDS;

const FORMATS = ['date-time', 'date', 'uuid', 'email'] as const;

/** Finds the type of a schema. @throws Error that names the line of a property with a keyword which the type does not have, or without one */
export function kindOf(schema: Schema, wrong: Property['wrong']): Kind {
  const kind = typeOf(schema);
  if (!kind)
    throw wrong(
      `has a type and format that no file of commands/generate/property-types/ has: ${whatExists(schema)}`,
    );
  const { may, needs = [] }: { may: string[]; needs?: string[] } = KEYWORDS[kind];
  const { type: _, description: __, examples: ___, ...keywords } = schema;
  const extra = Object.keys(keywords).find((each) => ![...may, ...needs].includes(each));
  const missing = needs.find((each) => !(each in keywords));
  if (extra) throw wrong(`has the keyword ${extra}, which ${kind} does not have`);
  if (missing) throw wrong(`needs the keyword ${missing}`);
  return kind;
}

function typeOf({
  type,
  format,
  enum: values,
  pattern,
  multipleOf,
  additionalProperties,
}: Schema): Kind | undefined {
  if (type === 'string' && values) return 'choice';
  if (type === 'string' && format) return FORMATS.find((each) => each === format);
  if (type === 'string') return pattern === undefined ? 'text' : 'pattern';
  if (type === 'integer') return ({ int64: 'integer', int32: 'int32' } as const)[format as 'int64'];
  if (type === 'number' && multipleOf === undefined)
    return [undefined, 'double'].includes(format) ? 'double' : undefined;
  if (type === 'object') return additionalProperties ? 'map' : 'object';
  return ({ number: 'decimal', boolean: 'boolean', array: 'list' } as const)[type as 'number'];
}

function whatExists({ type }: Schema): string {
  if (type === 'integer') return 'integer needs format: int64 or int32';
  if (type === 'number') return 'number may have format: double';
  if (type === 'string') return `string may have format: ${FORMATS.join(', ')}`;
  return 'there are string, integer, number, boolean, array and object';
}
