import { loadCases } from '../../contract/cases.ts';
import type { ContractCase } from '../../contract/contract-case.ts';
import { errorOf, judgeResponse } from '../../contract/judge-response.ts';
import { headersOf, NotJudged } from '../../contract/placeholders.ts';
import type { Check } from './check.ts';
import { movedCase, movedRefusal, storesPlant } from './ids.ts';
import type { RunningService } from './running-service.ts';

/** What a verification may do. */
export interface Permission {
  /** Whether to send also the cases that store plants. */
  readonly write: boolean;
  /**
   * Whether ids outside the reserved range may be used: the limits of int64, and ids that cannot be moved. Somebody's plant may
   * need such an id later.
   */
  readonly everyId: boolean;
}

/** Ids at which a program with doubles goes wrong. */
const LIMITS_OF_INT64 = ['9223372036854775807', '9223372036854775806', '-9223372036854775808'];
const BEYOND_DOUBLES = ['9007199254740992', '9007199254740993', '-9007199254740993'];
const EDGES = [...LIMITS_OF_INT64, ...BEYOND_DOUBLES];

/**
 * The cases of the contract that can be sent over HTTP, with ids moved into the reserved range. Without `write` only those that
 * must be refused whatever the store contains.
 * @param isWanted which of them; all by default
 */
export function caseChecks(
  { write, everyId }: Permission,
  isWanted: (contractCase: ContractCase) => boolean = () => true,
): Check[] {
  return loadCases()
    .filter((each) => each.only !== 'handler' && (write || !storesPlant(each)) && isWanted(each))
    .map((each) => {
      const run = storesPlant(each) ? judgeStored(each, everyId) : judgeRefused(each, everyId);
      return { group: each.group, rule: each.name, run };
    });
}

function judgeStored(contractCase: ContractCase, everyId: boolean): Check['run'] {
  const moved = movedCase(contractCase);
  if (moved) return (service) => judgeCase(moved, service);
  const { expected } = contractCase;
  if (expected.status !== 200 || !EDGES.includes(expected.stored ?? ''))
    return notJudged('its id cannot be moved into the reserved range; other cases test similar ids');
  return everyId ? (service) => judgeEdge(contractCase, service) : notJudged(OUTSIDE);
}

function judgeRefused(contractCase: ContractCase, everyId: boolean): Check['run'] {
  const { moved, isSafe } = movedRefusal(contractCase);
  return isSafe || everyId ? (service) => judgeCase(moved, service) : notJudged(OUTSIDE);
}

const OUTSIDE = 'its id is outside the reserved range, so it is judged only where the stage is not protected';

function notJudged(reason: string): Check['run'] {
  return async () => {
    throw new NotJudged(reason);
  };
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
    if (errorOf(await service.create(body)) === 40901) throw new NotJudged('the id is in use');
  }
  return judgeCase(contractCase, service);
}
