import { type AttributeValue, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodyOf, LEAST, OTHER, TEXT, WHOLE } from '../../contract/examples.ts';
import { OPTIONAL } from '../support/properties.ts';
import { itemOf } from '../support/stored-item.ts';
import { errorOf, plantEvent, startTestService, type TestService } from '../support/test-service.ts';

// The cases of contract/cases.yaml test the steps; middleware.test.ts tests what is around them.

const BODY = bodyOf(-40401);

/** Events that no gateway sends: fields of a valid event that are replaced, and 200 or the number of the error. */
const ODD_FIELDS: readonly [fields: object, number: number][] = [
  [{ resource: null }, 40401],
  [{ headers: null, multiValueHeaders: null }, 40101],
  [{ multiValueHeaders: { 'content-type': [null, 7] } }, 200],
  [{ multiValueHeaders: { constructor: ['x'], __proto__: ['y'] } }, 200],
  [{ body: { id: 1 }, isBase64Encoded: true }, 40001],
  [{ requestContext: null }, 200],
  [{ requestContext: 'text' }, 200],
  [{ requestContext: { requestId: '', extendedRequestId: 7, identity: 'x' } }, 200],
  [{ requestContext: { requestId: 'a\r\nb', identity: { sourceIp: {} } } }, 200],
  [{ requestContext: { requestId: { toString: 7 } } }, 200],
];

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const post = (body: string) => service.handler(plantEvent(service.token, body));

describe('the function responds to every event', () => {
  test.each([
    ['nothing', undefined, 40401],
    ['null', null, 40401],
    ['an empty object', {}, 40401],
    ['a queue message', { Records: [{ body: bodyOf(1) }] }, 40401],
  ])('%s', async (_, event, error) => {
    expect(errorOf(await service.handler(event))).toBe(error);
  });

  test('callers that alternate on one warm function each get their own response', async () => {
    const { token } = await service.admin.issue('another');
    for (const round of [1, 2]) {
      const mine = await post(bodyOf(`2${round}`));
      const theirs = await service.handler(plantEvent(token, bodyOf(`3${round}`, OTHER)));
      expect([mine.body, theirs.body]).toEqual([LEAST, OTHER].map((plant) => JSON.stringify(plant)));
      expect(service.lines.at(-1)).toMatchObject({ token: 'another', id: `3${round}` });
    }
  });
});

describe('a create can be repeated, and a taken id is never overwritten', () => {
  test('the same plant 16 times at once gets 200 each time and is one item', async () => {
    const responses = await Promise.all(Array.from({ length: 16 }, () => post(bodyOf(50, WHOLE))));
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(16).fill(200));
    expect(await service.item('50')).toEqual({ id: '50', ...WHOLE });
  });

  test('of 16 different plants at once under one id, one is stored and the others get 40901', async () => {
    const responses = await Promise.all(
      Array.from({ length: 16 }, (_, n) => post(bodyOf(51, { ...LEAST, [TEXT]: `${n}` }))),
    );
    const winners = responses.filter(({ statusCode }) => statusCode === 200);
    const losers = responses.filter(({ statusCode }) => statusCode !== 200);
    expect(winners).toHaveLength(1);
    expect(losers.map(errorOf)).toEqual(Array(15).fill(40901));
    expect(await service.item('51')).toEqual({ id: '51', ...JSON.parse(winners[0]?.body ?? '') });
  });
});

describe('versions with other properties use the same table', () => {
  const more = { later: { N: '1200' }, others: { L: [{ NULL: true }, { SS: ['a'] }] } };
  const { [TEXT]: _, ...withoutText } = itemOf('60');
  type Row = [string, Record<string, AttributeValue>, number];
  test.each<Row>([
    ['a newer one stored more: the retry gets 200', { ...itemOf('60'), ...more }, 200],
    ['a newer one stored more, and another plant', { ...itemOf('60', OTHER), ...more }, 40901],
    ['an older one did not have a required property', withoutText, 40901],
    ...OPTIONAL.slice(0, 1).map((name): Row => [`${name} was not sent`, itemOf('60', WHOLE), 40901]),
    ['a property of another type', { ...itemOf('60'), [TEXT]: { N: '7' } }, 40901],
  ])('%s; nothing is written', async (_name, Item, number) => {
    await service.client.send(new PutItemCommand({ TableName: 'Plants', Item }));
    const response = await post(bodyOf(60));
    expect(response.statusCode === 200 ? 200 : errorOf(response)).toBe(number);
    const get = new GetItemCommand({ TableName: 'Plants', Key: { id: { N: '60' } } });
    expect((await service.client.send(get)).Item).toEqual(Item);
  });
});

test.each(ODD_FIELDS)('an event that no gateway sends: %j', async (fields, number) => {
  const response = await service.handler({ ...plantEvent(service.token, BODY), ...fields });
  expect(response.statusCode === 200 ? 200 : errorOf(response)).toBe(number);
});
