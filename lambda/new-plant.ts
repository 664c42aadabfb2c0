import { PlantStoreError } from './errors.ts';
import { parseInt64 } from './int64.ts';
import { type Json, NumberLiteral } from './json-value.ts';
import { MAX_ID_CHARACTERS } from './limits.ts';
import type { NewPlant } from './plant.ts';

/**
 * Checks that a JSON value is a NewPlant, and takes out of it just the three properties that are declared.
 * @param value what the body's JSON text said, numbers as {@link NumberLiteral}
 * @throws PlantStoreError 40002 whose message names the property and what it must be
 */
export function newPlant(value: Json): NewPlant {
  if (!(value instanceof Map)) throw new PlantStoreError('INVALID_PLANT');
  const id = readId(value.get('id'));
  const name = readText('name', value.get('name'));
  const tag = value.get('tag');
  return tag === undefined ? { id, name } : { id, name, tag: readText('tag', tag) };
}

function readId(value: Json | undefined): bigint {
  if (value === undefined) throw invalid('id is missing; it must be an integer');
  if (!(value instanceof NumberLiteral)) throw invalid('id must be an integer, as a JSON number');
  if (value.literal.length > MAX_ID_CHARACTERS) {
    throw invalid(`id must be an integer written in at most ${MAX_ID_CHARACTERS} characters`);
  }
  const id = parseInt64(value.literal);
  if (id === 'fraction') throw invalid('id must be an integer, without a fraction');
  if (id === 'range') {
    throw invalid('id must be an int64: an integer from -9223372036854775808 to 9223372036854775807');
  }
  return id;
}

function readText(property: 'name' | 'tag', value: Json | undefined): string {
  if (value === undefined) throw invalid(`${property} is missing; it must be a string`);
  if (typeof value !== 'string') throw invalid(`${property} must be a string`);
  // A lone surrogate has no UTF-8 form, so it could be neither stored nor sent back.
  if (!value.isWellFormed())
    throw invalid(`${property} must be Unicode text; it holds half of a surrogate pair`);
  return value;
}

function invalid(sentence: string): PlantStoreError {
  return new PlantStoreError('INVALID_PLANT', { message: `${sentence}.` });
}
