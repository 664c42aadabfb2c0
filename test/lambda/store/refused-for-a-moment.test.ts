import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { bodyOf, LEAST } from '../../../contract/examples.ts';
import { documentClient } from '../../../lambda/store/store.ts';
import { formatToken } from '../../../lambda/store/token-format.ts';
import { startSource } from '../../support/function-under-test.ts';
import { type Script, ScriptedStore } from '../../support/scripted-store.ts';
import {
  type Behavior,
  type Exchange,
  exception,
  KNOWN_TOKEN,
  ok,
  type StoreResponse,
  taken,
} from '../../support/store-behaviors.ts';
import { itemOf } from '../../support/stored-item.ts';
import { plantEvent } from '../../support/test-service.ts';

// test/faults tries each refusal in each attempt. These are the refusals that have to do with time.

const TOKEN = formatToken(new Uint8Array(32).fill(1));
const FERN = bodyOf(1);
const MINUTE = 60_000;
const CREATED = { statusCode: 200, body: JSON.stringify(LEAST) };

const rightTime = Date.now;
/** How far the function's clock is ahead, in minutes. */
let ahead = 0;
/** What happens in the next pauses between two attempts. */
let inPauses: (() => void)[] = [];

beforeEach(() => {
  [ahead, inPauses] = [0, []];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime'] });
  vi.spyOn(Date, 'now').mockImplementation(() => rightTime() + ahead * MINUTE);
  // The length of a pause is chosen at its beginning.
  vi.spyOn(Math, 'random').mockImplementation(() => {
    inPauses.shift()?.();
    return 0;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Refuses, as DynamoDB does, a signature from over five minutes ago or ahead; else responds. */
function checkingTime(good: StoreResponse) {
  return ({ request: { headers }, respond }: Exchange): void => {
    const date = String(headers['x-amz-date']);
    const signed = Date.parse(date.replace(/^(....)(..)(..)T(..)(..)/, '$1-$2-$3T$4:$5:'));
    const late = rightTime() - signed;
    const message = late > 0 ? 'Signature expired: 2026 is now earlier' : 'Signature not yet current: 2026';
    const __type = 'com.amazon.coral.service#InvalidSignatureException';
    const refusal = { status: 400, body: JSON.stringify({ __type, message }) };
    respond({ headers: DYNAMODB, ...(Math.abs(late) <= 5 * MINUTE ? good : refusal) });
  };
}

const DYNAMODB = { 'content-type': 'application/x-amz-json-1.0' };
const LOOKUP = checkingTime(KNOWN_TOKEN);
const PUT = checkingTime(ok({}));

/** One process of the function, whose store follows a script. */
async function startProcess() {
  const store = await ScriptedStore.start({ clock: { advance: vi.advanceTimersByTimeAsync } });
  const client = documentClient({ AWS_ENDPOINT_URL_DYNAMODB: store.endpoint });
  const { handler } = startSource(client);
  return {
    /** Sends one request, whose attempts go as the script says and then to a store that checks the time. */
    async post({ GetItem = [], PutItem = [] }: Script = {}) {
      store.play({ GetItem: [...GetItem, LOOKUP], PutItem: [...PutItem, PUT] });
      const response = await handler(plantEvent(TOKEN, FERN));
      return { response, calls: { ...store.attempts } };
    },
    async close() {
      client.destroy();
      await store.close();
    },
  };
}

describe('a clock that is wrong for some attempts', () => {
  test.each([
    ['20 minutes fast, then right', 20, 0],
    ['a day slow, then right', -1440, 0],
    ['20 minutes fast, then slow', 20, -20],
    ['from 3 minutes slow to 3 minutes fast', -3, 3],
    ['20 minutes fast', 20, 20],
  ])('%s: the plant is stored', async (_, first, later) => {
    const { post, close } = await startProcess();
    // The token is looked up, then it is known, then the clock stays as it is.
    for (const clock of [first, first, later]) {
      ahead = clock;
      inPauses = [() => (ahead = later)];
      expect((await post()).response).toMatchObject(CREATED);
    }
    await close();
  });

  test.each([
    ['expired', 20],
    ['not yet current', -20],
  ])('a process that is frozen after it signed, so that the signature is %s', async (_, minutes) => {
    const { post, close } = await startProcess();
    const thawed: Behavior = (exchange) => {
      ahead = 0;
      return PUT(exchange);
    };
    const beforeTheFreeze: Behavior = (exchange) => {
      ahead = -minutes;
      return LOOKUP(exchange);
    };
    const script = { GetItem: [beforeTheFreeze], PutItem: [thawed] };
    const { response, calls } = await post(script);
    expect([response, calls]).toMatchObject([CREATED, { GetItem: 1, PutItem: 2 }]);
    await close();
  });
});

/** Dates that are wrong by more than a signature may be. */
const WRONG_DATES = { 'a day ago': -1440, 'in a day': 1440 };

/** Responses that may come with a wrong date. */
const RESPONSES: Record<string, StoreResponse> = {
  'a 502 of a proxy': { status: 502, headers: { 'content-type': 'text/html' }, body: '<html></html>' },
  'a throttle': exception('ThrottlingException'),
  'a refusal of the credentials': exception('UnrecognizedClientException'),
};

const withDate = (response: StoreResponse, minutes: number): StoreResponse => ({
  ...response,
  headers: { ...DYNAMODB, ...response.headers, date: new Date(rightTime() + minutes * MINUTE).toUTCString() },
});

describe.each(Object.entries(WRONG_DATES))('a response with a date %s', (_, minutes) => {
  test.each(Object.entries(RESPONSES))('%s: nothing after it is refused', async (_name, response) => {
    const wrong = withDate(response, minutes);
    const { post, close } = await startProcess();
    expect(await post({ GetItem: [wrong, wrong], PutItem: [wrong, wrong] })).toMatchObject({
      response: CREATED,
      calls: { GetItem: 3, PutItem: 3 },
    });
    expect((await post({ PutItem: [wrong, wrong, wrong] })).response.statusCode).toBe(400);
    expect(await post()).toMatchObject({ response: CREATED, calls: { PutItem: 1 } });
    await close();
  });

  test.each([
    ['a found token', { GetItem: [withDate(KNOWN_TOKEN, minutes)] }],
    ['a stored plant', { PutItem: [withDate(ok({}), minutes)] }],
    ['a taken id', { PutItem: [withDate(taken({ Item: itemOf('1') }), minutes)] }],
  ])('%s: nothing after it is refused', async (_name, script) => {
    const { post, close } = await startProcess();
    expect((await post(script)).response).toMatchObject(CREATED);
    expect(await post()).toMatchObject({ response: CREATED, calls: { PutItem: 1 } });
    await close();
  });

  test('a refused signature: the attempt after the next succeeds', async () => {
    const wrong = withDate(exception('InvalidSignatureException'), minutes);
    const { post, close } = await startProcess();
    expect(await post({ PutItem: [wrong] })).toMatchObject({ response: CREATED, calls: { PutItem: 3 } });
    expect(await post()).toMatchObject({ response: CREATED, calls: { PutItem: 1 } });
    await close();
  });
});
