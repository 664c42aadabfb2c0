import { describe, expect, test } from 'vitest';
import { violations } from './check.ts';
import type { Attempt, History } from './history.ts';
import type { Claim, Operation } from './model.ts';
import { impossibleIds } from './search.ts';

/** Histories of one id. `Moss holds 0-10` is a request for Moss that was called at 0 and ended so at 10. */
const POSSIBLE = {
  'the same plant twice, at the same time': 'Moss holds 0-10, Moss holds 0-10',
  'a conflict with a plant whose answer comes later': 'Fern taken 0-10, Moss holds 0-90',
  'a plant without an answer is stored long after':
    'Moss open 0-10, none seen 20-30, Fern taken 40-50, Moss seen 60-70',
  'a plant without an answer is never stored': 'Moss open 0-10, Fern holds 20-30, Moss taken 40-50',
  'of two plants without an answer, the later one is stored':
    'Moss open 0-10, Fern open 20-30, Moss taken 40-50, Fern holds 40-50',
  'nothing but refusals': 'Moss nothing 0-10, none seen 20-30',
};

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
  test.each(Object.entries(POSSIBLE))('finds one: %s', (_, text) => {
    expect(impossibleIds(operations(text))).toEqual([]);
    expect(impossibleIds(operations(text).reverse())).toEqual([]);
  });

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

const REFUSED = 'token 0 of client 1 is refused, although it is valid';
const ACCEPTED = 'token 0 of client 1 is accepted, although it is not valid';
const NO_ORDER = 'no order of the requests explains the answers about id 1';

/** Requests, and what is wrong with each. A revoked token is remembered for up to 60 s. */
const REQUESTS: [name: string, History, wrong: string[]][] = [
  ['accepted while it is valid', history({ number: 200 }), []],
  ['accepted 59 s after its revocation', history({ number: 200, calledAt: 64_000, endedAt: 64_010 }), []],
  ['refused after its revocation', history({ number: 40102, calledAt: 5_001, endedAt: 5_011 }), []],
  ['refused during its revocation', history({ number: 40102, calledAt: 4_990, endedAt: 5_011 }), []],
  ['refused while it is valid', history({ number: 40102 }), [REFUSED]],
  ['accepted before it is issued', history({ number: 200, calledAt: 0, endedAt: 990 }), [NO_ORDER, ACCEPTED]],
  [
    'accepted 61 s after its revocation',
    history({ number: 200, calledAt: 66_000, endedAt: 66_010 }),
    [NO_ORDER, ACCEPTED],
  ],
  [
    'stored without an answer, 61 s after its revocation',
    history({ calledAt: 66_000, endedAt: Infinity }, true),
    [NO_ORDER],
  ],
  ['refused by the network, but stored', history({ number: 'refused' }, true), [NO_ORDER]],
  [
    'answered after 3.6 s',
    history({ number: 200, tookMs: 3_600 }),
    ['the function worked 3600 ms on a request of client 1'],
  ],
  [
    'the last client gets no answer',
    history({ client: 'the last client', number: 50401 }),
    ['the last client got 50401, although nothing went wrong any more'],
  ],
];

test.each(REQUESTS)('a request: %s', (_, whole, wrong) => {
  expect(violations(whole)).toEqual(wrong);
});

describe('the results of clients’ calls', () => {
  const call = { client: 'client 1', id: '1', plant: 'Moss', token: 0, calledAt: 0, endedAt: 10 };
  const none = history({ number: 50401 });

  test.each([
    ['says that nothing is stored, rightly', false, [], []],
    ['says that the plant may be stored, and it is not', true, [], []],
    ['says that the plant may be stored, and it is', true, [{ id: '1', plant: 'Moss' }], []],
    [
      'says that nothing is stored, wrongly',
      false,
      [{ id: '1', plant: 'Moss' }],
      ['no order of the clients’ calls explains their results about id 1'],
    ],
  ])('an error that %s', (_, mayBeStored, found, wrong) => {
    const calls = [{ ...call, number: 50301, mayBeStored }];
    expect(violations({ ...none, calls, found })).toEqual(wrong);
  });
});
