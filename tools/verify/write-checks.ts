import { contractViolations } from '../../contract/answers.ts';
import { ERRORS } from '../../lambda/answer/errors.ts';
import { MAX_BODY_BYTES, MAX_ID_CHARACTERS } from '../../lambda/limits.ts';
import { type Check, errorOf } from './check.ts';
import { newId, SPELT_FROM } from './ids.ts';
import { bodyOf, expectPlant, expectTaken } from './plant-checks.ts';
import type { Service } from './service.ts';

const RACERS = 10;
const GROUP = 'spellings and sizes';

/** Spellings of one integer that JSON allows; each gets the digits of an id of its own. */
const SPELLINGS: Readonly<Record<string, (digits: string) => string>> = {
  'an id may end in a fraction of zeros': (digits) => `${digits}.000`,
  'an id may have an exponent of zero': (digits) => `${digits}e0`,
  'an id may have an exponent with a sign and leading zeros': (digits) => `${digits}E+0000`,
  'an id may have a negative exponent': (digits) => `${digits}0e-1`,
  'an id may be a fraction that the exponent takes up whole': (digits) =>
    digits.replace(/^(-?\d)(\d+)$/, (_, first: string, rest: string) => `${first}.${rest}e${rest.length}`),
  [`an id may have ${MAX_ID_CHARACTERS} characters`]: (digits) => `${digits}.`.padEnd(MAX_ID_CHARACTERS, '0'),
};

/** Spellings of an id, neighbours that a double would take for one, the largest body, and races. */
export function writeChecks(): Check[] {
  return [...spellingChecks(), neighbourCheck(), sizeCheck(), ...raceChecks()];
}

function spellingChecks(): Check[] {
  return Object.entries(SPELLINGS).map(([rule, spell], index) => ({
    group: GROUP,
    rule,
    run: async (service) => {
      const id = SPELT_FROM + BigInt(index);
      const plant = { name: 'Spelt', tag: rule };
      return [
        ...(await expectPlant(service, bodyOf(spell(String(id)), plant), plant)),
        // That it is stored under the very id, digit for digit, shows in what the plain id answers.
        ...(await expectPlant(service, bodyOf(id, plant), plant)),
        ...(await expectTaken(service, bodyOf(id, { name: 'Other' }))),
      ];
    },
  }));
}

function neighbourCheck(): Check {
  return {
    group: GROUP,
    rule: 'two ids that no double can tell apart are two plants',
    run: async (service) => {
      const wrong: string[] = [];
      for (const step of [64n, 65n, 66n]) {
        const plant = { name: `Neighbour ${step}` };
        wrong.push(...(await expectPlant(service, bodyOf(SPELT_FROM + step, plant), plant)));
      }
      return wrong;
    },
  };
}

function sizeCheck(): Check {
  return {
    group: GROUP,
    rule: 'a body of exactly 1 MiB is accepted',
    run: (service) => {
      const plant = { name: 'Wide' };
      return expectPlant(service, bodyOf(SPELT_FROM + 32n, plant).padEnd(MAX_BODY_BYTES, ' '), plant);
    },
  };
}

function raceChecks(): Check[] {
  const group = 'races';
  return [
    {
      group,
      rule: 'the same plant sent many times at once is one plant, and every answer says so',
      run: async (service) => {
        const body = bodyOf(newId(), { name: 'Race' });
        const answers = await Promise.all(Array.from({ length: RACERS }, () => service.create(body)));
        const others = answers.filter(({ status }) => status !== 200);
        return [...answers.flatMap(contractViolations), ...others.map((answer) => `answered ${answer.body}`)];
      },
    },
    {
      group,
      rule: 'of different plants sent at once under one new id exactly one is stored, and the others are refused',
      run: raceForOneId,
    },
  ];
}

async function raceForOneId(service: Service): Promise<string[]> {
  const id = newId();
  const plants = Array.from({ length: RACERS }, (_, n) => ({ name: 'Race', tag: `runner ${n}` }));
  const answers = await Promise.all(plants.map((plant) => service.create(bodyOf(id, plant))));
  const wrong = answers.flatMap(contractViolations);
  const winners = plants.filter((_, n) => answers[n]?.status === 200);
  const losers = plants.filter((_, n) => errorOf(answers[n] ?? NONE) === ERRORS.ID_TAKEN.error);
  const [winner, loser] = [winners[0], losers[0]];
  if (winners.length !== 1 || losers.length !== RACERS - 1 || !winner || !loser)
    return [...wrong, `${winners.length} of ${RACERS} were answered 200, and ${losers.length} error 40901`];
  return [
    ...wrong,
    ...(await expectPlant(service, bodyOf(id, winner), winner)),
    ...(await expectTaken(service, bodyOf(id, loser))),
  ];
}

const NONE = { status: 0, headers: {}, body: '' };
