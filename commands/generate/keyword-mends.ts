import { A_MAP } from './property-kind.ts';

/** What to write in place of keywords that no type has, or not the type at hand. */
const RULE = 'write the rule at the end of lambda/request/check-plant.ts';
const MENDS: readonly (readonly [keywords: readonly string[], mend: string])[] = [
  [
    ['default'],
    'leave it out, and let the client send the value: two versions with different defaults would take a retry for another plant',
  ],
  [['readOnly', 'writeOnly'], 'leave it out: the service sets no property, and returns each'],
  [
    ['additionalProperties: false', 'unevaluatedProperties'],
    'leave it out: unknown properties are accepted, so that two versions can be live; a map has only entries of one type',
  ],
  [['patternProperties'], `write ${A_MAP}; or a property for each name: what has none is not stored`],
  [
    [
      'minProperties',
      'dependentRequired',
      'dependentSchemas',
      'if',
      'then',
      'else',
      'not',
      'contains',
      'minContains',
      'maxContains',
    ],
    `leave it out, and ${RULE}`,
  ],
  [
    ['oneOf', 'anyOf', 'discriminator'],
    `write one object with the properties of all variants: those of some of them are optional, and an enum says which one it is; then ${RULE}`,
  ],
  [['allOf'], 'write one schema that accepts what all parts accept: they differ in a keyword'],
  [
    ['exclusiveMinimum', 'exclusiveMaximum'],
    `write minimum or maximum: of integers the next one; of other numbers beside it, ${RULE}`,
  ],
  [['prefixItems'], 'write items with one type, or an object with a property for each place'],
  [['multipleOf'], `of integers: leave it out, and ${RULE}`],
  [['contentEncoding', 'contentMediaType', 'contentSchema'], 'leave it out, and say it in the description'],
];

const OTHER = `leave it out, or ${RULE}`;

/** The rows of the table of keywords that are refused. */
export const REFUSED_KEYWORDS = [
  ...MENDS.map(([keywords, mend]) => [keywords.map((each) => `\`${each}\``).join(', '), mend]),
  ['another keyword', OTHER],
];

/** What to write in place of a keyword. */
export function mendOf(keyword: string): string {
  const isListed = ([keywords]: (typeof MENDS)[number]) =>
    keywords.some((each) => each.split(':')[0] === keyword);
  return MENDS.find(isListed)?.[1] ?? OTHER;
}
