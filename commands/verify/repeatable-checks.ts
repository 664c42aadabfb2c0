import type { ContractCase } from '../../contract/contract-case.ts';
import { caseChecks } from './case-checks.ts';
import type { Check } from './check.ts';
import { plantRequests } from './plant-checks.ts';

/**
 * Refusals of a body that came with a valid token. Others are large, or, repeated, would set off the alarm on refused tokens,
 * or have no name of a token in the log.
 */
const REFUSALS: readonly number[] = [40001, 40002, 41501];

/**
 * Checks that may be repeated for as long as a deployment takes, of one request each. They use the reserved ids only, and
 * create one plant, the same as every verification: every second check sends it, because it needs the whole of the function.
 */
export function repeatableChecks(): Check[] {
  const ofPlant = plantRequests();
  const isWanted = ({ expected, given }: ContractCase) =>
    expected.status === 400 && given.length === 0 && REFUSALS.includes(expected.error);
  const refusals = caseChecks({ write: false, everyId: false }, isWanted);
  return refusals.flatMap((refusal, n) => {
    const turn = n % ofPlant.length;
    return [...ofPlant.slice(turn, turn + 1), refusal];
  });
}
