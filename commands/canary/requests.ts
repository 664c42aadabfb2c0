import { loadCases } from '../../contract/cases.ts';
import type { ContractCase } from '../../contract/contract-case.ts';
import { bodyOf, WHOLE } from '../../contract/examples.ts';
import { derivedTokens, headersOf } from '../../contract/placeholders.ts';
import type { HttpRequest } from '../shared/send-http.ts';
import { caseIds, VERIFY_IDS } from '../verify/ids.ts';
import { OTHERS, TAKEN, VERIFY_BODY } from '../verify/plant-checks.ts';

/** A request, and the response that it must get. */
export interface Question {
  /** A statement of behavior. */
  readonly rule: string;
  readonly request: HttpRequest;
  readonly expected: ContractCase['expected'];
}

/**
 * Refusals of a body that came with a valid token. Others are large, or, repeated, would set off the alarm on refused tokens,
 * or have no name of a token in the log.
 */
const REFUSALS: readonly number[] = [40001, 40002, 41501];

/**
 * Requests that may be repeated for as long as a deployment takes. They use the reserved ids only, and create one plant, the same
 * as every verification: every second request sends it, or another with its id, because that needs the whole of the function.
 */
export function canaryRequests(token: string): Question[] {
  const ofPlant = plantRequests(token);
  return loadCases(caseIds())
    .filter(isRepeatable)
    .flatMap((each, n) => {
      const turn = n % ofPlant.length;
      const request = { ...each, headers: headersOf(each, derivedTokens(token)) };
      return [...ofPlant.slice(turn, turn + 1), { rule: each.name, request, expected: each.expected }];
    });
}

function isRepeatable({ expected, given, hasOnlyOurIds, only }: ContractCase): boolean {
  const isRefusal = expected.status === 400 && REFUSALS.includes(expected.error);
  return isRefusal && given.length === 0 && hasOnlyOurIds && only !== 'handler';
}

function plantRequests(token: string): Question[] {
  const headers = [
    ['content-type', 'application/json'],
    ['authorization', `Bearer ${token}`],
  ] as const;
  const stored: Question = {
    rule: 'the plant is stored, now or before',
    request: { headers, body: VERIFY_BODY },
    expected: { status: 200, plant: WHOLE },
  };
  return OTHERS.flatMap(([what, other]) => [
    stored,
    {
      rule: `${what} is refused`,
      request: { headers, body: bodyOf(VERIFY_IDS.first, other) },
      expected: TAKEN,
    },
  ]);
}
