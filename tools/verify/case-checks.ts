import { contractViolations, expectationViolations } from '../../contract/answers.ts';
import { type ContractCase, loadCases } from '../../contract/cases.ts';
import { headersOf, tokenKindsOf } from '../../contract/tokens.ts';
import { ERRORS } from '../../lambda/answer/errors.ts';
import { parseJson } from '../../lambda/request/json.ts';
import { newPlant } from '../../lambda/request/plant.ts';
import { type Check, errorOf, NotJudged } from './check.ts';
import { movedCase } from './ids.ts';
import type { Service } from './service.ts';

const TAKEN = ERRORS.ID_TAKEN.error;

/** The ids at which an int64 goes wrong, in a program that goes through a double: both ends, and beyond 2^53. */
const EDGES = [2n ** 63n - 1n, 2n ** 63n - 2n, -(2n ** 63n), 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n];

/** The cases of the contract that must be refused, whatever is in the store. */
export function refusedCases(): Check[] {
  return overHttp()
    .filter((each) => !writes(each))
    .map((each) => toCheck(each, judgeCase));
}

/** The cases of the contract that store something, moved into verification's ids, and the edges of int64. */
export function writingCases(): Check[] {
  return overHttp()
    .filter(writes)
    .map((each) => {
      const moved = movedCase(each);
      if (moved) return toCheck(moved, judgeCase);
      return toCheck(each, isEdge(each) ? judgeEdge : leaveAlone);
    });
}

function overHttp(): ContractCase[] {
  return loadCases().filter(({ only }) => only !== 'handler');
}

function writes({ expected, given }: ContractCase): boolean {
  return expected.status === 200 || expected.error === TAKEN || given.length > 0;
}

type Judge = (contractCase: ContractCase, service: Service) => Promise<string[]>;

function toCheck(contractCase: ContractCase, judge: Judge): Check {
  const { group, name } = contractCase;
  return { group, rule: name, run: (service) => judge(contractCase, service) };
}

async function judgeCase(contractCase: ContractCase, service: Service): Promise<string[]> {
  const missing = tokenKindsOf(contractCase).find((kind) => service.tokens[kind] === undefined);
  if (missing) throw new NotJudged(`it takes a token that is ${missing}`);
  for (const body of contractCase.given) {
    const answer = await service.create(body);
    if (answer.status !== 200) return [`the plant before it was answered ${answer.status} ${answer.body}`];
  }
  const answer = await service.send({ ...contractCase, headers: headersOf(contractCase, service.tokens) });
  return [...contractViolations(answer), ...expectationViolations(contractCase, answer)];
}

/** An edge is one id, outside of verification's range: somebody's plant may have it. */
async function judgeEdge(contractCase: ContractCase, service: Service): Promise<string[]> {
  for (const body of [...contractCase.given, contractCase.body ?? '']) {
    if (errorOf(await service.create(body)) === TAKEN) throw new NotJudged('the id is in use');
  }
  return judgeCase(contractCase, service);
}

async function leaveAlone(): Promise<string[]> {
  throw new NotJudged(
    'its id cannot be moved into the range of verification; "spellings and sizes" tries its like',
  );
}

function isEdge({ expected, body = Buffer.of() }: ContractCase): boolean {
  return expected.status === 200 && EDGES.includes(newPlant(parseJson(body.toString())).id);
}
