import { describe, expect, test } from 'vitest';
import { LEAST, TEXT, WHOLE } from '../../../contract/examples.ts';
import type { Failure } from '../../../lambda/errors.ts';
import { newPlant } from '../../../lambda/request/new-plant.ts';

const INT64 = 'an integer from -9223372036854775808 to 9223372036854775807';

// The groups of contract/cases.yaml test what is accepted and what is refused.

/** The JSON of the properties that are required, but of the text. */
const REST = Object.fromEntries(
  Object.entries(LEAST).flatMap(([name, value]) => (name === TEXT ? [] : [[name, JSON.stringify(value)]])),
);

test.each([
  [{}, `id is missing; it must be ${INT64}.`],
  [{ id: '"1"' }, `id must be ${INT64}, as a JSON number.`],
  [{ id: '0'.repeat(129) }, `id must be ${INT64}, written in at most 128 characters.`],
  [{ id: '9223372036854775807.5' }, `id must be ${INT64}, without a fraction.`],
  [{ id: '1e19' }, `id must be ${INT64}.`],
  [{ id: '1', ...REST }, RegExp(`^${TEXT} is missing; it must be a string[ \\w]*\\.$`)],
  [{ id: '1', ...REST, [TEXT]: 'null' }, RegExp(`^${TEXT} must be a string[ \\w]*\\.$`)],
  [{ id: '1', ...REST, [TEXT]: '"\\ud800"' }, `${TEXT} must be Unicode text without an unpaired surrogate.`],
])('the message says what is wrong: %j', (properties, message) => {
  const sentence = typeof message === 'string' ? message : expect.stringMatching(message);
  const failure = expect.objectContaining({
    message: sentence,
    published: expect.objectContaining({ error: 40002 }),
  });
  expect(() => newPlant(new Map(Object.entries(properties)))).toThrow(failure);
});

describe('what is said of a wrong value', () => {
  const whole = Object.entries({ id: 1, ...WHOLE }).map(([name, value]) => [name, JSON.stringify(value)]);
  const VALUES = ['null', '7', '1.5', '"x"', '"\\ud800"', 'true', '[]', '{}'];

  /** The message for a plant with another value of a property; undefined if it is a plant. */
  function messageFor(name: string, json: string): string | undefined {
    try {
      newPlant(new Map([...whole, [name, json]] as [string, string][]));
      return undefined;
    } catch (failure) {
      return (failure as Failure).message;
    }
  }

  test.each(['id', ...Object.keys(WHOLE)])('that %s may be left out, if it may', (name) => {
    const isOptional = name !== 'id' && !(name in LEAST);
    // Not what is said of a part of it.
    const messages = VALUES.flatMap((json) => messageFor(name, json) ?? []).filter((message) =>
      message.startsWith(`${name} must `),
    );
    expect(messages.length).toBeGreaterThan(3);
    for (const message of messages) expect(message.endsWith(', or be left out.'), message).toBe(isOptional);
  });
});
