import { afterEach, expect, test, vi } from 'vitest';
import { bodyOf, LEAST, OTHER, WHOLE } from '../../../contract/examples.ts';
import { IS_NUMBER, idOf } from '../../../contract/key.ts';
import type { NewPlant } from '../../../lambda/plant.ts';
import { checkPlant } from '../../../lambda/request/check-plant.ts';
import { parseJson } from '../../../lambda/request/parse-json.ts';
import { changeIn } from '../../../lambda/store/change.ts';
import { overScript } from '../../support/function-under-test.ts';
import { type Behavior, exception, lose, ok, taken } from '../../support/store-behaviors.ts';
import { itemOf } from '../../support/stored-item.ts';

// What is changed and refused is tested with a real store: by change-plant.test.ts, and by contract/cases/change-plant.yaml.

const ID = IS_NUMBER ? 9007199254740993n : idOf(7);
const PLANT = checkPlant(parseJson(bodyOf(ID, { ...LEAST, version: 3 })));
const stored = (version: number, plant = LEAST): Behavior =>
  taken({ Item: itemOf(String(ID), { ...plant, version }) });
const GONE = taken({ Item: { ...itemOf(String(ID), {}), deletedAt: { S: '' }, version: { N: '0' } } });

/** Changes a plant to version 3. @returns the outcome or the error, and the number of attempts */
const change = (behaviors: Behavior[], plant: object = PLANT) =>
  overScript({ UpdateItem: behaviors }, async (client, { attempts }) => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const outcome = await changeIn({ client, name: 'Plants' })(
      plant as NewPlant,
      3n,
      new AbortController(),
    ).catch(({ published, fault }) => `${published.error} ${fault}`);
    return [outcome, attempts.UpdateItem];
  });

afterEach(() => vi.restoreAllMocks());

test('a change whose response was lost may be what the next attempt finds', async () => {
  expect(await change([lose, stored(3)])).toEqual(['changed-or-already-changed', 2]);
  expect(await change([lose, ok({})])).toEqual(['changed', 2]);
  // A throttled one has changed nothing.
  const throttled = exception('ThrottlingException');
  expect(await change([throttled, stored(3)])).toEqual(['already-changed', 2]);
  expect(await change([throttled, stored(4)])).toEqual(['40902 undefined', 2]);
  // Somebody may have changed it again since.
  expect(await change([lose, stored(4, OTHER)])).toEqual(['50401 ECONNRESET', 2]);
  expect(await change([lose, lose, lose])).toEqual(['50401 ECONNRESET', 3]);
});

test('a plant that is not there, or no more, is not there after a lost response either', async () => {
  for (const lost of [[], [lose]])
    for (const gone of [taken({}), GONE])
      expect(await change([...lost, gone])).toEqual(['40402 undefined', lost.length + 1]);
});

test('a refusal with the item of another id is retried', async () => {
  const foreign = taken({ Item: itemOf(idOf(8), LEAST) });
  expect(await change([foreign])).toEqual(['50401 damaged response', 3]);
  expect(await change([foreign, ok({})])).toEqual(['changed', 2]);
});

test('an expression names each property by its index, so that the model may have a name such as first-name', async () => {
  const inputs = await overScript({ UpdateItem: [ok({})] }, async (client) => {
    const send = vi.spyOn(client, 'send');
    await changeIn({ client, name: 'Plants' })(PLANT as unknown as NewPlant, 3n, new AbortController());
    return send.mock.calls.map(([{ input }]) => input as unknown as Record<string, object>);
  });
  const [{ UpdateExpression, ExpressionAttributeNames = {}, ExpressionAttributeValues = {} } = {}] = inputs;
  expect(UpdateExpression).toMatch(/^SET #\d+ = :\d+(,#\d+ = :\d+)*( REMOVE #\d+(,#\d+)*)?$/);
  expect(Object.keys(ExpressionAttributeNames).join()).toMatch(/^#id(,#\d+)+$/);
  expect(Object.values(ExpressionAttributeNames)).toEqual(['id', ...Object.keys(WHOLE)]);
  expect(Object.keys(ExpressionAttributeValues).join()).toMatch(/^:before(,:\d+)+$/);
});

test('a plant that is larger than an item is refused before the call', async () => {
  expect(await change([ok({})], { ...PLANT, x: 'x'.repeat(409_600) })).toEqual(['41301 undefined', 0]);
});
