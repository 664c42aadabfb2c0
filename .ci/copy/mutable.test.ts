import path from 'node:path';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { planCopy } from './plan.ts';
import { HOUSE, testOfHouse } from './test-house.ts';
import { writeTree } from './tree.ts';

/** What the client of a copy says of a plant whose first response is lost, and whose id is then taken. */
async function mayBeStored(copy: ReadonlyMap<string, string>): Promise<unknown> {
  const folder = temporaryFolder();
  writeTree(folder, new Map([...copy].filter(([file]) => file.startsWith('client/src/'))));
  const { createPlantStore } = await import(path.join(folder, 'client/src/index.ts'));
  const taken = { error: 40901, message: 'Taken.' };
  const responses = [new Response('', { status: 504 }), Response.json(taken, { status: 400 })];
  const options = { baseUrl: 'http://test', token: 't', fetch: async () => responses.shift() };
  return createPlantStore(options)
    .createPlant({ id: 7, name: 'Fern' })
    .catch((error: unknown) => error);
}

testOfHouse.each([
  [
    [],
    false,
    'Choose another id. This holds after a timeout, too: if your plant had been stored, you would get 200',
  ],
  ...['change', 'delete'].map((name): [string[], boolean, string] => [
    [name],
    true,
    'Choose another id. But after a timeout, your plant may have been stored, and is no longer as you sent it',
  ]),
])('a copy with %j says what 40901 proves after a lost response', async (operations, isOpen, advice) => {
  const copy = planCopy(HOUSE, operations);
  const { errors } = parse(copy.get('contract/errors.yaml') ?? '');
  expect(errors).toContainEqual(expect.objectContaining({ error: 40901, do: advice }));
  expect(await mayBeStored(copy)).toMatchObject({ error: 40901, mayBeStored: isOpen });
});
