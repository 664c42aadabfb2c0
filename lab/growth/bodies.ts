/** Within the limit of 1,000 levels, including the body's own object and the array that is filled. */
const LEVELS = 990;
const ARRAYS = '['.repeat(LEVELS) + ']'.repeat(LEVELS);
const OBJECTS = `${'{"a":1,"":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`;

/** The filling of each kind of body. It is in an unknown property, so it is read but not stored. */
const FILLINGS = {
  plain: { open: '"', unit: 'a', close: '"' },
  whitespace: { open: '1', unit: ' ', close: '' },
  numbers: { open: '[1', unit: ',1', close: ']' },
  'one long number': { open: '1', unit: '1', close: '' },
  'empty arrays': { open: '[[]', unit: ',[]', close: ']' },
  'empty objects': { open: '[{}', unit: ',{}', close: ']' },
  'small objects': { open: '[0', unit: ',{"":1}', close: ']' },
  'nested arrays': { open: '[0', unit: `,${ARRAYS}`, close: ']' },
  'nested objects': { open: '[0', unit: `,${OBJECTS}`, close: ']' },
  'short escapes': { open: '"', unit: '\\n', close: '"' },
  'escaped strings': { open: '["\\n"', unit: ',"\\n"', close: ']' },
  // Each `#` becomes another name.
  properties: { open: '{"":1', unit: ',"#####":1', close: '}' },
  'one property, again and again': { open: '{"":1', unit: ',"":1', close: '}' },
} as const;

/** The kinds of bodies that are compared; the first is the reference. */
export const BODY_KINDS = Object.keys(FILLINGS) as (keyof typeof FILLINGS)[];

/**
 * A valid NewPlant of a given size, filled with one kind of content.
 * @param size in bytes; the result may be a little smaller
 */
export function bodyOf(kind: keyof typeof FILLINGS, size: number): string {
  const { open, unit, close } = FILLINGS[kind];
  const [start, end] = [`{"id":1,"name":"Fern","note":${open}`, `${close}}`];
  const count = Math.max(0, Math.floor((size - start.length - end.length) / unit.length));
  let names = 0;
  const filling = unit.repeat(count).replace(/#+/g, () => (names++).toString(36).padStart(5, '0'));
  return start + filling + end;
}
