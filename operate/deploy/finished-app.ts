import { PlainError } from '../../cli/plain-error.ts';
import type { GuardValues } from '../guard/options.ts';
import { field, type Template } from '../guard/templates.ts';

/**
 * Refuses a finished `cdk.out` that moves the traffic in another way than the command line says: `-c` does not change it any more.
 * @throws PlainError then
 */
export function refuseOtherCanary(
  { Resources: { Live } }: Template,
  { app, usesCanary }: GuardValues & { readonly usesCanary: boolean },
): void {
  const hasCanary = field(Live, 'UpdatePolicy') !== undefined;
  if (hasCanary === usesCanary) return;
  const ways = hasCanary
    ? 'for CodeDeploy, and --no-canary was given: synthesize it with -c canary=off'
    : 'with -c canary=off: give --no-canary';
  throw new PlainError(`Nothing was deployed: ${app} was synthesized ${ways}.`);
}
