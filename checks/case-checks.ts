import { loadCases } from '../contract/cases.ts';
import type { ContractCase } from '../contract/contract-case.ts';
import { bodyOf, OTHER } from '../contract/examples.ts';
import { errorOf, judgeResponse, type Violation } from '../contract/judge-response.ts';
import { idOf } from '../contract/key.ts';
import { caseIds, VERIFY_ID } from '../contract/reserved-ids.ts';
import type { HttpResponse } from '../contract/send-http.ts';
import { headersOf } from '../contract/tokens.ts';
import { changedBetween } from './between.ts';
import { NO_WRITE, NOT_EVERY_ID, type Permission } from './permission.ts';
import type { Check } from './run-checks.ts';
import { NotJudged, type ServiceUnderTest } from './service-under-test.ts';

/** A check for each case of the contract, with ids of the reserved range. */
export function caseChecks(permission: Permission): Check[] {
  return loadCases(caseIds()).map((contractCase) => ({
    group: contractCase.group,
    rule: contractCase.name,
    canary: contractCase.canary,
    notJudged: forbids(permission, contractCase),
    run: async (service) => [
      ...(await judgeCase(contractCase, service)),
      ...(permission.write && !contractCase.anyId ? await judgeAbsent(contractCase, service) : []),
    ],
  }));
}

/** Why a case may not be sent; undefined if it may. */
function forbids({ write, everyId }: Permission, contractCase: ContractCase): string | undefined {
  const { expected, given, ids, anyId } = contractCase;
  const isOfVerifyPlant = ids.length > 0 && ids.every((id) => id === idOf(VERIFY_ID));
  if (!write && !isOfVerifyPlant && (expected.status === 200 || given.length > 0)) return NO_WRITE;
  // A service that accepts it by mistake stores it.
  return anyId && !everyId ? NOT_EVERY_ID : undefined;
}

async function judgeCase(contractCase: ContractCase, service: ServiceUnderTest): Promise<Violation[]> {
  const { given, expected, anyId } = contractCase;
  const mustBeFree = (response: HttpResponse) => {
    if (anyId && errorOf(response) === 40901) throw new NotJudged('the id is in use');
  };
  const headers = headersOf(contractCase, service.tokenOf);
  for (const body of given) {
    const response = await service.create(body);
    mustBeFree(response);
    if (response.status !== 200) {
      const sentence = `the plant to be stored first got ${response.status} ${response.body}`;
      return [{ sentence, requestId: response.headers['x-request-id'] }];
    }
  }
  const request = { ...contractCase, headers };
  const response = await service.send(request);
  if (expected.status === 200) mustBeFree(response);
  return [...judgeResponse(response, expected), ...changedBetween(request, response, expected)];
}

/** Only if nothing was stored, another plant can have the id. */
async function judgeAbsent({ expected }: ContractCase, service: ServiceUnderTest): Promise<Violation[]> {
  const stored = { status: 200, text: JSON.stringify(OTHER) } as const;
  const wrong: Violation[] = [];
  for (const id of expected.status === 400 ? (expected.absent ?? []) : [])
    wrong.push(...judgeResponse(await service.create(bodyOf(id, OTHER)), stored));
  return wrong.map((each) => ({ ...each, sentence: `then another plant with its id ${each.sentence}` }));
}
