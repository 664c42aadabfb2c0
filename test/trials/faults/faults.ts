import { pass } from '../../support/acts.ts';
import { DAMAGES, SILENCES } from './broken-answers.ts';
import type { Fault } from './fault.ts';
import { ERRORS_5XX, OURS, THROTTLES } from './store-errors.ts';

/** Every fault of the matrix. */
export const FAULTS: readonly Fault[] = [
  { name: 'refuse', kind: 'unreachable', act: 'refuse' },
  { name: 'hang on connect', kind: 'unreachable', act: 'hang on connect' },
  {
    name: 'slow, but in time',
    kind: 'harmless',
    act: async (exchange) => {
      await exchange.wait(350);
      await pass(exchange);
    },
  },
  ...SILENCES,
  ...DAMAGES,
  ...ERRORS_5XX,
  ...THROTTLES,
  ...OURS,
];

/** Finds a fault by its name. @throws Error if there is none */
export function fault(name: string): Fault {
  const found = FAULTS.find((each) => each.name === name);
  if (!found) throw new Error(`There is no fault "${name}".`);
  return found;
}
