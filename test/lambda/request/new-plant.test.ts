import { expect, test } from 'vitest';
import { LEAST, TEXT } from '../../../contract/examples.ts';
import { newPlant } from '../../../lambda/request/new-plant.ts';

// The groups of contract/cases.yaml test what is accepted and what is refused.

/** The JSON of the properties that are required, but of the text. */
const REST = Object.fromEntries(
  Object.entries(LEAST).flatMap(([name, value]) => (name === TEXT ? [] : [[name, JSON.stringify(value)]])),
);

test.each([
  [{}, 'id is missing; it must be an integer.'],
  [{ id: '"1"' }, 'id must be an integer, as a JSON number.'],
  [{ id: '0'.repeat(129) }, 'id must be an integer written in at most 128 characters.'],
  [{ id: '9223372036854775807.5' }, 'id must be an integer, without a fraction.'],
  [{ id: '1e19' }, 'id must be an int64: an integer from -9223372036854775808 to 9223372036854775807.'],
  [{ id: '1', ...REST }, `${TEXT} is missing; it must be a string.`],
  [{ id: '1', ...REST, [TEXT]: 'null' }, `${TEXT} must be a string.`],
  [
    { id: '1', ...REST, [TEXT]: '"\\ud800"' },
    `${TEXT} must be Unicode text; it contains an unpaired surrogate.`,
  ],
])('the message says what is wrong: %j', (properties, message) => {
  const failure = expect.objectContaining({ message, published: expect.objectContaining({ error: 40002 }) });
  expect(() => newPlant(new Map(Object.entries(properties)))).toThrow(failure);
});
