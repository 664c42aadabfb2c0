import { expect, test } from 'vitest';
import { newPlant } from '../../../lambda/request/new-plant.ts';

// The groups "ids" and "names and tags" of contract/cases.yaml test what is accepted and what is refused.

test.each([
  [{}, 'id is missing; it must be an integer.'],
  [{ id: '"1"' }, 'id must be an integer, as a JSON number.'],
  [{ id: '0'.repeat(129) }, 'id must be an integer written in at most 128 characters.'],
  [{ id: '9223372036854775807.5' }, 'id must be an integer, without a fraction.'],
  [{ id: '1e19' }, 'id must be an int64: an integer from -9223372036854775808 to 9223372036854775807.'],
  [{ id: '1' }, 'name is missing; it must be a string.'],
  [{ id: '1', name: '""', tag: 'null' }, 'tag must be a string.'],
  [{ id: '1', name: '"\\ud800"' }, 'name must be Unicode text; it contains an unpaired surrogate.'],
])('the message says what is wrong: %j', (properties, message) => {
  const failure = expect.objectContaining({ message, published: expect.objectContaining({ error: 40002 }) });
  expect(() => newPlant(new Map(Object.entries(properties)))).toThrow(failure);
});
