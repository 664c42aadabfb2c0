import { type ContractCase, loadCases } from '../../contract/cases.ts';
import { type Check, NotJudged } from './check.ts';
import { movedCase, storesPlant } from './ids.ts';
import { errorOf, judgeAnswer } from './judge-answer.ts';
import { headersOf, tokenKindsOf } from './placeholders.ts';
import type { Service } from './service.ts';

/** Ids that a program with doubles gets wrong: the limits of int64, and beyond 2^53. */
const EDGES = [
  '9223372036854775807',
  '9223372036854775806',
  '-9223372036854775808',
  '9007199254740992',
  '9007199254740993',
  '-9007199254740993',
];

/** The cases of the contract that must be refused whatever the store contains. */
export function refusedCases(): Check[] {
  return overHttp()
    .filter((each) => !storesPlant(each))
    .map((each) => toCheck(each, judgeCase));
}

/** The cases of the contract that store plants, with ids moved into the reserved range, and the limits of int64. */
export function writingCases(): Check[] {
  return overHttp()
    .filter(storesPlant)
    .map((each) => {
      const moved = movedCase(each);
      if (moved) return toCheck(moved, judgeCase);
      return toCheck(each, isEdge(each) ? judgeEdge : leaveAlone);
    });
}

function overHttp(): ContractCase[] {
  return loadCases().filter(({ only }) => only !== 'handler');
}

type Judge = (contractCase: ContractCase, service: Service) => Promise<string[]>;

function toCheck(contractCase: ContractCase, judge: Judge): Check {
  const { group, name } = contractCase;
  return { group, rule: name, run: (service) => judge(contractCase, service) };
}

async function judgeCase(contractCase: ContractCase, service: Service): Promise<string[]> {
  const missing = tokenKindsOf(contractCase).find((kind) => service.tokens[kind] === undefined);
  if (missing) throw new NotJudged(`it needs a token that is ${missing}`);
  for (const body of contractCase.given) {
    const { status, body: text } = await service.create(body);
    if (status !== 200) return [`the plant to be stored first got ${status} ${text}`];
  }
  const answer = await service.send({ ...contractCase, headers: headersOf(contractCase, service.tokens) });
  return judgeAnswer(answer, contractCase.expected);
}

/** These ids are outside the reserved range, so another plant may have them. */
async function judgeEdge(contractCase: ContractCase, service: Service): Promise<string[]> {
  for (const body of [...contractCase.given, contractCase.body ?? '']) {
    if (errorOf(await service.create(body)) === 40901) throw new NotJudged('the id is in use');
  }
  return judgeCase(contractCase, service);
}

async function leaveAlone(): Promise<string[]> {
  throw new NotJudged(
    'its id cannot be moved into the reserved range; "spellings and sizes" tests similar ids',
  );
}

function isEdge({ expected }: ContractCase): boolean {
  return expected.status === 200 && EDGES.includes(expected.stored ?? '');
}
