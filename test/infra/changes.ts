import type { Json } from './synth.ts';

/** A changed copy of a value, and where the change is, such as `template.Outputs removed`. */
type Change = readonly [place: string, changed: Json];

/**
 * Every way to change one place of a JSON value: a property or an element is removed or added, or a number, a boolean, a
 * text or a word in it is changed. Texts that are JSON are changed inside. Copies share what is not changed.
 * @param place the name of the value
 */
export function* changesOf(value: Json, place: string): Generator<Change> {
  if (Array.isArray(value)) yield* changesOfList(value, place);
  else if (typeof value === 'object') yield* changesOfObject(value, place);
  else for (const changed of others(value)) yield [`${place}: ${value} -> ${changed}`, changed];
}

function* changesOfObject(value: Json, place: string): Generator<Change> {
  for (const [key, inner] of Object.entries(value)) {
    const { [key]: _, ...rest } = value;
    yield [`${place}.${key} removed`, rest];
    yield [`${place}.${key} doubled`, { ...value, [`${key}Copy`]: inner }];
    for (const [where, changed] of changesIn(inner, `${place}.${key}`))
      yield [where, { ...value, [key]: changed }];
  }
}

function* changesOfList(value: Json[], place: string): Generator<Change> {
  for (const [index, inner] of value.entries()) {
    yield [`${place}.${index} removed`, value.toSpliced(index, 1)];
    yield [`${place}.${index} doubled`, value.toSpliced(index, 0, inner)];
    for (const [where, changed] of changesIn(inner, `${place}.${index}`))
      yield [where, value.with(index, changed)];
  }
}

function* changesIn(value: Json, place: string): Generator<Change> {
  const inside = typeof value === 'string' && value.startsWith('{"') ? JSON.parse(value) : undefined;
  if (inside === undefined) return yield* changesOf(value, place);
  for (const [where, changed] of changesOf(inside, `${place}.json`)) yield [where, JSON.stringify(changed)];
}

/** Other values instead of a number, a boolean or a text. */
function others(value: number | boolean | string): unknown[] {
  if (typeof value === 'number') return [value + 1];
  if (typeof value === 'boolean') return [!value];
  // Of a sentence, a pattern or an expression each word: a policy may look at some of them only.
  const words = value.includes(' ') ? [...value.matchAll(/\d+|[A-Za-z]+/g)] : [];
  return [
    `${value}x`,
    ...words.map(({ 0: word, index }) => {
      const other = /\d/.test(word) ? `${BigInt(word) + 1n}` : `${word}x`;
      return value.slice(0, index) + other + value.slice(index + word.length);
    }),
  ];
}
