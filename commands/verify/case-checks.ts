import { loadCases } from '../../contract/cases.ts';
import type { ContractCase } from '../../contract/contract-case.ts';
import { bodyOf, OTHER, WHOLE } from '../../contract/examples.ts';
import { errorOf, type HttpResponse } from '../../contract/judge-response.ts';
import { headersOf, NotJudged } from '../../contract/placeholders.ts';
import { type Check, notJudged } from './check.ts';
import { caseIds } from './ids.ts';
import { judged, type RunningService } from './running-service.ts';
import { type Violation, violation } from './violation.ts';

/** What a verification may do. */
export interface Permission {
  /** Whether to send also what stores plants. */
  readonly write: boolean;
  /** Whether ids outside the reserved range may be used, such as the limits of int64. Somebody's plant may need them later. */
  readonly everyId: boolean;
  /** The origins that the stage allows, if they are known. */
  readonly origins?: readonly string[] | undefined;
}

/** Why something is not judged. */
export const NO_WRITE = 'only --write stores plants';
const OUTSIDE = 'ids outside the reserved range are used only where the stage is not protected';

/** The one plant that a verification without `--write` creates: the same in every run, so only the first run adds it. */
const VERIFY_ID = caseIds().stored + 2000n;
export const VERIFY_BODY = bodyOf(VERIFY_ID, WHOLE);

/** The cases of the contract, with ids of the reserved range. */
export function caseChecks(permission: Permission): Check[] {
  return loadCases(caseIds()).map((each) => checkOf(each, permission));
}

/** Those that may be repeated for as long as a canary takes. */
export function canaryChecks(): Check[] {
  const repeatable = loadCases(caseIds()).filter(({ canary }) => canary);
  return repeatable.map((each) => checkOf(each, { write: false, everyId: false }));
}

function checkOf(contractCase: ContractCase, permission: Permission): Check {
  return { group: contractCase.group, rule: contractCase.name, run: judge(contractCase, permission) };
}

function judge(contractCase: ContractCase, { write, everyId }: Permission): Check['run'] {
  const { expected, given, ids, anyId } = contractCase;
  const isOfVerifyPlant = ids.length > 0 && ids.every((id) => id === String(VERIFY_ID));
  if (!write && !isOfVerifyPlant && (expected.status === 200 || given.length > 0)) return notJudged(NO_WRITE);
  // A service that accepts it by mistake stores it.
  if (anyId && !everyId) return notJudged(OUTSIDE);
  return async (service) => [
    ...(await judgeCase(contractCase, service)),
    ...(write && !anyId ? await judgeAbsent(contractCase, service) : []),
  ];
}

async function judgeCase(contractCase: ContractCase, service: RunningService): Promise<Violation[]> {
  const { given, expected, anyId } = contractCase;
  const mustBeFree = (response: HttpResponse) => {
    if (anyId && errorOf(response) === 40901) throw new NotJudged('the id is in use');
  };
  const headers = headersOf(contractCase, service.tokens);
  for (const body of given) {
    const response = await service.create(body);
    mustBeFree(response);
    if (response.status !== 200)
      return [violation(`the plant to be stored first got ${response.status} ${response.body}`, response)];
  }
  const response = await service.send({ ...contractCase, headers });
  if (expected.status === 200) mustBeFree(response);
  return judged(response, expected);
}

/** Only if nothing was stored, another plant can have the id. */
async function judgeAbsent({ expected }: ContractCase, service: RunningService): Promise<Violation[]> {
  const wrong: Violation[] = [];
  for (const id of expected.status === 400 ? (expected.absent ?? []) : [])
    wrong.push(...judged(await service.create(bodyOf(id, OTHER)), { status: 200, plant: OTHER }));
  return wrong.map((each) => ({ ...each, sentence: `then another plant with its id ${each.sentence}` }));
}
