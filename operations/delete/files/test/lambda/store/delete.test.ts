import { afterEach, expect, test, vi } from 'vitest';
import { IS_NUMBER, idOf } from '../../../contract/key.ts';
import type { NewPlant } from '../../../lambda/plant.ts';
import { deleteIn } from '../../../lambda/store/delete.ts';
import { overScript } from '../../support/function-under-test.ts';
import { type Behavior, exception, lose, ok, taken } from '../../support/store-behaviors.ts';
import { itemOf } from '../../support/stored-item.ts';

// What is deleted and refused is tested with a real store: by delete-plant.test.ts.

const ID = IS_NUMBER ? 9007199254740993n : idOf(7);
const small = (id: string) =>
  taken({ Item: { ...itemOf(id, {}), deletedAt: { S: '' }, version: { N: '0' } } });

/** Deletes a plant. @returns the outcome or the error, and the number of attempts */
const remove = (behaviors: Behavior[]) =>
  overScript({ PutItem: behaviors }, async (client, { attempts }) => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const outcome = await deleteIn({ client, name: 'Plants' })(
      ID as NewPlant['id'],
      new AbortController(),
    ).catch(({ published, fault }) => `${published.error} ${fault}`);
    return [outcome, attempts.PutItem];
  });

afterEach(() => vi.restoreAllMocks());

test('a deletion whose response was lost may be what the next attempt finds', async () => {
  const deleted = small(String(ID));
  expect(await remove([lose, deleted])).toEqual(['deleted-or-already-deleted', 2]);
  expect(await remove([lose, ok({})])).toEqual(['deleted', 2]);
  // A throttled one has deleted nothing.
  expect(await remove([exception('ThrottlingException'), deleted])).toEqual(['already-deleted', 2]);
});

test.each([
  ['another id', small('8')],
  ['a plant', taken({ Item: itemOf(String(ID)) })],
])('a refusal with %s is retried, and may be this deletion', async (_, refusal) => {
  expect(await remove([refusal])).toEqual(['50401 damaged response', 3]);
});
