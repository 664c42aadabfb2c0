/** `npm run lab -- import`: measures the import over a service that responds at once. */
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runCommand, wholeNumber } from '../../cli/command-line.ts';
import { listen } from '../../local/listen.ts';
import { ROOT } from '../../test/support/project.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { type Figures, measureAutocannon, measureImport } from './measure.ts';
import { report } from './report.ts';
import { stub } from './stub.ts';

const AUTOCANNON = 'autocannon@8.0.0';
/** How many requests are in flight. */
const IN_FLIGHT = [32, 256];

await runCommand({
  script: 'lab',
  verb: 'import',
  usage: '[--before FOLDER] [--plants N] [--rounds N]',
  about: 'Measures CPU time, rate and memory of the import, and of autocannon with as many requests.',
  options: {
    before: { value: 'FOLDER', about: 'also measure this other checkout, in the same rounds' },
    plants: { value: 'N', about: 'plants of each import', default: '60000' },
    rounds: { value: 'N', about: 'rounds; medians are shown', default: '3' },
  },
  notes: 'Exit codes: 0 all gates passed, 1 at least one failed, 2 the command is invalid.',
  async main({ before, ...words }) {
    const plants = wholeNumber('plants', words.plants, 1_000, 10_000_000);
    const rounds = wholeNumber('rounds', words.rounds, 1, 100);
    const folder = temporaryFolder();
    execFileSync('npm', ['install', '--no-save', '--prefix', folder, AUTOCANNON], { stdio: 'ignore' });
    const file = path.join(folder, 'plants.ndjson');
    await writeFile(file, linesOf(plants));
    const trial = { url: await listen(stub), file, plants };
    const subjects: Record<string, (inFlight: number) => Promise<Figures>> = {
      ...(before && { before: (inFlight) => measureImport(trial, path.resolve(before), inFlight) }),
      now: (inFlight) => measureImport(trial, ROOT, inFlight),
      autocannon: (inFlight) => measureAutocannon(trial, folder, inFlight),
    };
    const measured = new Map<string, Figures[]>();
    for (let round = 1; round <= rounds; round += 1) {
      for (const inFlight of IN_FLIGHT)
        for (const [name, measure] of Object.entries(subjects)) {
          const subject = `${name}, ${inFlight}`;
          measured.set(subject, [...(measured.get(subject) ?? []), await measure(inFlight)]);
        }
      console.error(`Round ${round} of ${rounds} is measured.`);
    }
    stub.close();
    return report(measured, IN_FLIGHT);
  },
});

function* linesOf(plants: number): Generator<string> {
  for (let n = 1; n <= plants; n += 1)
    yield `{"id":${9_000_000_000_000_000_000n + BigInt(n)},"name":"Fern, tall","tag":"shade ${n}"}\n`;
}
