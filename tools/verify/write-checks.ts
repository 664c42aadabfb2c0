import type { Check } from './check.ts';
import { LARGEST_BODY, newId, SPELT_FROM } from './ids.ts';
import { contractViolations, errorOf } from './judge-answer.ts';
import { type BarePlant, bodyOf, TAKEN } from './plant-checks.ts';
import type { Service } from './service.ts';

/** The longest id that the service accepts, in characters. */
const LONGEST_ID = 128;
const RACERS = 10;
const GROUP = 'spellings and sizes';

/** Ways to write an integer in JSON; each is tested with a different id. */
const SPELLINGS: Readonly<Record<string, (digits: string) => string>> = {
  'an id may end in a fraction of zeros': (digits) => `${digits}.000`,
  'an id may have an exponent of zero': (digits) => `${digits}e0`,
  'an id may have an exponent with a sign and leading zeros': (digits) => `${digits}E+0000`,
  'an id may have a negative exponent': (digits) => `${digits}0e-1`,
  'an id may be a fraction that the exponent takes up whole': (digits) =>
    digits.replace(/^(-?\d)(\d+)$/, (_, first: string, rest: string) => `${first}.${rest}e${rest.length}`),
  [`an id may have ${LONGEST_ID} characters`]: (digits) => `${digits}.`.padEnd(LONGEST_ID, '0'),
};

/** Ways to write an id, ids that are equal as doubles, the largest body, and races. */
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
        ...(await service.expect(bodyOf(spell(String(id)), plant), stored(plant))),
        // The answers to the plain id show that the plant is stored under exactly this id.
        ...(await service.expect(bodyOf(id, plant), stored(plant))),
        ...(await service.expect(bodyOf(id, { name: 'Other' }), TAKEN)),
      ];
    },
  }));
}

function neighbourCheck(): Check {
  return {
    group: GROUP,
    rule: 'ids that are equal as doubles are different plants',
    run: async (service) => {
      const wrong: string[] = [];
      for (const step of [64n, 65n, 66n]) {
        const plant = { name: `Neighbour ${step}` };
        wrong.push(...(await service.expect(bodyOf(SPELT_FROM + step, plant), stored(plant))));
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
      return service.expect(bodyOf(SPELT_FROM + 32n, plant).padEnd(LARGEST_BODY, ' '), stored(plant));
    },
  };
}

function raceChecks(): Check[] {
  const group = 'races';
  return [
    {
      group,
      rule: 'the same plant sent many times at once gets 200 every time',
      run: async (service) => {
        const body = bodyOf(newId(), { name: 'Race' });
        const answers = await Promise.all(Array.from({ length: RACERS }, () => service.create(body)));
        const others = answers.filter(({ status }) => status !== 200);
        return [...answers.flatMap(contractViolations), ...others.map((answer) => `answered ${answer.body}`)];
      },
    },
    {
      group,
      rule: 'of different plants sent at once with one new id, exactly one is stored and the others are refused',
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
  const losers = plants.filter((_, n) => errorOf(answers[n] ?? NONE) === 40901);
  const [winner, loser] = [winners[0], losers[0]];
  if (winners.length !== 1 || losers.length !== RACERS - 1 || !winner || !loser)
    return [...wrong, `${winners.length} of ${RACERS} got 200, and ${losers.length} got error 40901`];
  return [
    ...wrong,
    ...(await service.expect(bodyOf(id, winner), stored(winner))),
    ...(await service.expect(bodyOf(id, loser), TAKEN)),
  ];
}

/** The expected answer if a plant is stored, by this request or before. */
function stored(plant: BarePlant) {
  return { status: 200, plant } as const;
}

const NONE = { status: 0, headers: {}, body: '' };
