import { beforeEach, expect, test, vi } from 'vitest';
import { bodyOf, LEAST } from '../../../contract/examples.ts';
import { formatToken } from '../../../lambda/tokens/token-format.ts';
import { overScript, startSource } from '../../support/function-under-test.ts';
import type { Script } from '../../support/scripted-store.ts';
import {
  type Behavior,
  type Exchange,
  exception,
  KNOWN_TOKEN,
  ok,
  type StoreResponse,
} from '../../support/store-behaviors.ts';
import { plantEvent } from '../../support/test-service.ts';

// test/faults tries each refusal in each attempt. These are the refusals that have to do with time.

const EVENT = plantEvent(formatToken(new Uint8Array(32).fill(1)), bodyOf(1));
const MINUTE = 60_000;
const CREATED = JSON.stringify(LEAST);

const rightTime = Date.now;
/** How far the function's clock is ahead, in minutes. */
let ahead = 0;
/** What happens in the next pause between two attempts. */
let inPause = () => {};

beforeEach(() => {
  [ahead, inPause] = [0, () => {}];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime'] });
  vi.spyOn(Date, 'now').mockImplementation(() => rightTime() + ahead * MINUTE);
  // The length of a pause is chosen at its beginning.
  vi.spyOn(Math, 'random').mockImplementation(() => {
    inPause();
    return 0;
  });
});

/** Refuses, as DynamoDB does, a signature from over five minutes ago or ahead; else responds. */
function checkingTime(good: StoreResponse) {
  return ({ request: { headers }, respond }: Exchange): void => {
    const date = String(headers['x-amz-date']);
    const signed = Date.parse(date.replace(/^(....)(..)(..)T(..)(..)/, '$1-$2-$3T$4:$5:'));
    const isNow = Math.abs(rightTime() - signed) <= 5 * MINUTE;
    respond(isNow ? good : exception('InvalidSignatureException'));
  };
}

const LOOKUP = checkingTime(KNOWN_TOKEN);
const PUT = checkingTime(ok({}));

/**
 * Sends requests to one process of the function. The attempts of each go as its script says, and then to a store that checks the time.
 * @returns the bodies of the responses, and the number of puts for the last one
 */
const post = (...scripts: Script[]) =>
  overScript({}, async (client, store) => {
    const { handler } = startSource(client);
    const bodies = [];
    for (const { GetItem = [], PutItem = [] } of scripts) {
      store.play({ GetItem: [...GetItem, LOOKUP], PutItem: [...PutItem, PUT] });
      bodies.push((await handler(EVENT)).body);
    }
    return [bodies, store.attempts.PutItem];
  });

test.each([
  ['20 minutes fast, then right', 20, 0],
  ['a day slow, then right', -1440, 0],
  ['20 minutes fast, then slow', 20, -20],
  ['20 minutes fast', 20, 20],
])('a clock that is %s: the plant is stored', async (_, first, later) => {
  ahead = first;
  inPause = () => (ahead = later);
  // The token is looked up, then it is known, then the clock stays as it is.
  const [bodies] = await post({}, { PutItem: [exception('ThrottlingException')] }, {});
  expect(bodies).toEqual([CREATED, CREATED, CREATED]);
});

test('a process that is frozen after it signed a put, so that the signature has expired, signs another', async () => {
  const beforeTheFreeze: Behavior = (exchange) => {
    ahead = -20;
    return LOOKUP(exchange);
  };
  const thawed: Behavior = (exchange) => {
    ahead = 0;
    return PUT(exchange);
  };
  expect(await post({ GetItem: [beforeTheFreeze], PutItem: [thawed] })).toEqual([[CREATED], 2]);
});

const date = new Date(rightTime() - 1440 * MINUTE).toUTCString();
const PROXY = { status: 502, headers: { 'content-type': 'text/html', date }, body: '<html></html>' };

test.each<[string, Script]>([
  ['faults', { GetItem: [PROXY, PROXY], PutItem: [PROXY, PROXY] }],
  [
    'successes',
    { GetItem: [{ ...KNOWN_TOKEN, headers: { date } }], PutItem: [{ ...ok({}), headers: { date } }] },
  ],
])('%s with the date of a day ago: no signature after them is refused', async (_, script) => {
  expect(await post(script, {})).toEqual([[CREATED, CREATED], 1]);
});
