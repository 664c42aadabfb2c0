import { describe, expect, test } from 'vitest';
import { violations } from './check.ts';
import type { Attempt, History } from './history.ts';
import type { Claim, Operation } from './model.ts';
import { impossibleIds } from './search.ts';

// That possible histories are allowed is what histories.test.ts shows, a thousand times; here is what must not be.

/** Histories of one id. `Moss holds 0-10` is a request for Moss that was called at 0 and ended so at 10. */
const IMPOSSIBLE = {
  'two plants are both stored': 'Moss holds 0-10, Fern holds 20-30',
  'a conflict with the plant itself': 'Moss open 0-10, Moss taken 20-30',
  'a conflict with a plant that is sent only later': 'Fern taken 0-10, Moss holds 20-30',
  'a conflict with a plant that was not stored': 'Moss nothing 0-10, Fern taken 20-30',
  'a plant is lost': 'Moss holds 0-10, none seen 20-30',
  'a plant is overwritten': 'Moss holds 0-10, Fern open 20-30, Fern seen 40-50',
  'a plant appears that nobody sent': 'Moss seen 0-10',
  'a plant disappears and comes back': 'Moss open 0-10, Moss seen 20-30, none seen 40-50, Moss seen 60-70',
};

function operations(text: string, id = '1'): Operation[] {
  return text.split(', ').map((line) => {
    const [name = '', claim, called, ended] = line.split(/[ -]/);
    const plant = name === 'none' ? undefined : name;
    return { id, plant, claim: claim as Claim, calledAt: Number(called), endedAt: Number(ended) };
  });
}

describe('the search for an order of one id', () => {
  test.each(Object.entries(IMPOSSIBLE))('finds none: %s', (_, text) => {
    expect(impossibleIds(operations(text))).toEqual(['1']);
    expect(impossibleIds(operations(text).reverse())).toEqual(['1']);
  });

  test('judges each id alone', () => {
    const good = operations('Moss holds 0-10', '2');
    const bad = operations(IMPOSSIBLE['a plant is lost'], '3');
    expect(impossibleIds([...good, ...bad])).toEqual(['3']);
  });
});

/** A history of one request with one token, which is valid from 1 s to 5 s. */
function history(attempt: Partial<Attempt>, stored = attempt.number === 200): History {
  const whole = { client: 'client 1', id: '1', plant: 'Moss', token: 0, calledAt: 2_000, endedAt: 2_010 };
  return {
    attempts: [{ ...whole, ...attempt }],
    calls: [{ ...whole, number: 50401, mayBeStored: true }],
    tokens: [{ text: 'any', issuedAt: 1_000, revokedAt: 5_000, expiresAt: 200_000 }],
    found: stored ? [{ id: '1', plant: 'Moss' }] : [],
    endedAt: 100_000,
    story: [],
  };
}

const ACCEPTED = 'token 0 of client 1 is accepted, although it is not valid';
const NO_ORDER = 'no order of the requests explains the responses about id 1';
const SLOW = 'the function worked 3600 ms on a request of client 1';
const LAST = 'the last client got 50401, although nothing went wrong any more';

/** A request that gets its response after 10 ms. */
const at = (calledAt: number) => ({ calledAt, endedAt: calledAt + 10 });

/** Requests, and what is wrong with each. A revoked token is remembered for up to 60 s. */
const REQUESTS: [name: string, History, wrong: string[]][] = [
  ['accepted 59 s after its revocation', history({ number: 200, ...at(64_000) }), []],
  ['accepted 61 s after its revocation', history({ number: 200, ...at(66_000) }), [NO_ORDER, ACCEPTED]],
  ['accepted before it is issued', history({ number: 200, ...at(980) }), [NO_ORDER, ACCEPTED]],
  ['stored 61 s after its revocation, without a response', history(at(66_000), true), [NO_ORDER]],
  ['refused by the network, but stored', history({ number: 'refused' }, true), [NO_ORDER]],
  ['returned after 3.6 s', history({ number: 200, tookMs: 3_600 }), [SLOW]],
  ['the last client gets 50401', history({ client: 'the last client', number: 50401 }), [LAST]],
];

test.each(REQUESTS)('a request: %s', (_, whole, wrong) => {
  expect(violations(whole)).toEqual(wrong);
});

test('a call whose client says wrongly that nothing is stored', () => {
  const none = history({ number: 50401 }, true);
  const calls = none.calls.map((call) => ({ ...call, number: 50301, mayBeStored: false }));
  const wrong = 'no order of the clients’ calls explains their results about id 1';
  expect(violations({ ...none, calls })).toEqual([wrong]);
});
