import { loadCases } from '../../contract/cases.ts';
import type { ContractCase } from '../../contract/contract-case.ts';
import { bodyOf, LEAST, OTHER } from '../../contract/examples.ts';
import { errorOf, judgeResponse } from '../../contract/judge-response.ts';
import { headersOf, NotJudged } from '../../contract/placeholders.ts';
import { type Check, notJudged } from './check.ts';
import { movedCase, movedRefusal, storesPlant } from './ids.ts';
import type { RunningService } from './running-service.ts';

/** What a verification may do. */
export interface Permission {
  /** Whether to send also what stores plants. */
  readonly write: boolean;
  /**
   * Whether ids outside the reserved range may be used: the limits of int64, and ids that cannot be moved. Somebody's plant may
   * need such an id later.
   */
  readonly everyId: boolean;
  /** The origins that the stage allows, if they are known. */
  readonly origins?: readonly string[] | undefined;
}

/** Why something is not judged. */
export const NO_WRITE = 'only --write stores plants';
const OUTSIDE = 'ids outside the reserved range are used only where the stage is not protected';
const IN_USE = 'the id is in use';

/** Ids at which a program with doubles goes wrong: the limits of int64, and those from 2^53. */
const EDGE = /^-?9(223372036854775|00719925474099)\d+$/;

/**
 * The cases of the contract that can be sent over HTTP, with ids moved into the reserved range.
 * @param isWanted which of them; all by default
 */
export function caseChecks(
  permission: Permission,
  isWanted: (contractCase: ContractCase) => boolean = () => true,
): Check[] {
  return loadCases()
    .filter((each) => each.only !== 'handler' && isWanted(each))
    .map((each) => {
      const run = (storesPlant(each) ? judgeStored : judgeRefused)(each, permission);
      return { group: each.group, rule: each.name, run };
    });
}

function judgeStored(contractCase: ContractCase, { write, everyId }: Permission): Check['run'] {
  if (!write) return notJudged(NO_WRITE);
  const { moved, isSafe } = movedCase(contractCase);
  if (isSafe) return (service) => judgeCase(moved, service);
  const { expected } = contractCase;
  if (expected.status !== 200 || !EDGE.test(expected.stored ?? ''))
    return notJudged('the id cannot be moved into the reserved range');
  return everyId ? (service) => judgeEdge(contractCase, service) : notJudged(OUTSIDE);
}

function judgeRefused(contractCase: ContractCase, { write, everyId }: Permission): Check['run'] {
  const { moved, isSafe } = movedRefusal(contractCase);
  if (!isSafe) return everyId ? (service) => judgeCase(moved, service) : notJudged(OUTSIDE);
  return async (service) => [
    ...(await judgeCase(moved, service)),
    ...(write ? await judgeAbsent(moved, service) : []),
  ];
}

/** Only if nothing was stored, another plant can have the id. */
async function judgeAbsent({ expected }: ContractCase, service: RunningService): Promise<string[]> {
  if (expected.status === 200 || expected.absent === undefined) return [];
  const wrong = await service.expect(bodyOf(expected.absent, OTHER), { status: 200, plant: OTHER });
  return wrong.map((reason) => `then another plant with its id ${reason}`);
}

/** An id of each length, the same in every run. */
const DIGITS = '9182736455463728190';

/** Creates plants whose ids are those of people: only where plants may be stored freely. */
export function lengthChecks({ write, everyId }: Permission): Check[] {
  return Array.from(DIGITS, (_, n) => {
    const judge = async (service: RunningService) => {
      const wrong: string[] = [];
      for (const sign of ['', '-']) {
        const response = await service.create(bodyOf(sign + DIGITS.slice(0, n + 1)));
        if (errorOf(response) === 40901) throw new NotJudged(IN_USE);
        wrong.push(...judgeResponse(response, { status: 200, plant: LEAST }));
      }
      return wrong;
    };
    const run = write ? (everyId ? judge : notJudged(OUTSIDE)) : notJudged(NO_WRITE);
    return { group: 'ids', rule: `an id of ${n + 1} digits is stored, also a negative one`, run };
  });
}

async function judgeCase(contractCase: ContractCase, service: RunningService): Promise<string[]> {
  const headers = headersOf(contractCase, service.tokens);
  for (const body of contractCase.given) {
    const { status, body: text } = await service.create(body);
    if (status !== 200) return [`the plant to be stored first got ${status} ${text}`];
  }
  return judgeResponse(await service.send({ ...contractCase, headers }), contractCase.expected);
}

/** These ids are outside the reserved range, so another plant may have them. */
async function judgeEdge(contractCase: ContractCase, service: RunningService): Promise<string[]> {
  for (const body of [...contractCase.given, contractCase.body ?? '']) {
    if (errorOf(await service.create(body)) === 40901) throw new NotJudged(IN_USE);
  }
  return judgeCase(contractCase, service);
}
