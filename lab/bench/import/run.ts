import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { listen } from '../../../local/listen.ts';
import { ROOT } from '../../../test/support/project.ts';
import { temporaryFolder } from '../../../test/support/temporary-root.ts';
import { type Figures, measureImport } from './measure.ts';
import { report } from './report.ts';
import { stub } from './stub.ts';

/** How many requests are in flight. */
const IN_FLIGHT = [32, 256];
const PLANTS = 60_000;

/**
 * Measures the import over a service that responds at once, and prints the medians.
 * @param before the root of another checkout to measure beside ours
 * @returns whether all gates passed
 */
export async function runImports(rounds: number, before?: string): Promise<boolean> {
  const file = path.join(temporaryFolder(), 'plants.ndjson');
  await writeFile(file, linesOf(PLANTS));
  const trial = { url: await listen(stub), file, plants: PLANTS };
  const checkouts = { ...(before !== undefined && { before: path.resolve(before) }), now: ROOT };
  const measured = new Map<string, Figures[]>();
  for (let round = 1; round <= rounds; round += 1) {
    for (const inFlight of IN_FLIGHT)
      for (const [name, checkout] of Object.entries(checkouts)) {
        const subject = `${name}, ${inFlight}`;
        const figures = await measureImport(trial, checkout, inFlight);
        measured.set(subject, [...(measured.get(subject) ?? []), figures]);
      }
    console.error(`Round ${round} of ${rounds} is measured.`);
  }
  stub.close();
  return report(measured, IN_FLIGHT);
}

function* linesOf(plants: number): Generator<string> {
  for (let n = 1; n <= plants; n += 1)
    yield `{"id":${9_000_000_000_000_000_000n + BigInt(n)},"name":"Fern, tall","tag":"shade ${n}"}\n`;
}
