import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleRuntime, bundleSubject, weigh } from './build.ts';
import { countInstructions, valgrindHint } from './callgrind.ts';
import { makeCertificate } from './certificate.ts';
import { checkSubject } from './check.ts';
import { type Bench, startStore } from './drive.ts';
import { MEMORY_SIZE } from './environment.ts';
import { coldRound, type Measured, warmRound } from './measure.ts';
import { gates } from './report/gates.ts';
import { chart } from './report/svg.ts';
import { figures, gateTable } from './report/table.ts';
import { SUBJECTS, type Subject } from './subjects.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    'warm-rounds': { type: 'string', default: '20' },
    only: { type: 'string', default: '' },
    'no-instructions': { type: 'boolean', default: false },
    /** A file for the raw figures, and one for the chart. */
    json: { type: 'string', default: '' },
    svg: { type: 'string', default: '' },
  },
});

const folder = mkdtempSync(join(tmpdir(), 'plant-store-bench-'));
const { key, certificate } = makeCertificate(folder);
const runtime = await bundleRuntime(folder);
const bench: Bench = { runtime, certificate, ...(await startStore(key, certificate)) };
try {
  await main(chosen(options.only));
} finally {
  bench.store.disconnect();
  rmSync(folder, { recursive: true });
}

async function main(subjects: readonly Subject[]): Promise<void> {
  const hint = options['no-instructions'] ? 'Instruction counts were switched off.' : valgrindHint();
  const all: Measured[] = [];
  for (const subject of subjects) all.push(await prepare(subject, hint === undefined));
  for (let round = 0; round < Number(options.rounds); round += 1) await coldRound(bench, all, round);
  for (let round = 0; round < Number(options['warm-rounds']); round += 1) await warmRound(bench, all, round);
  const report = [figures(all), gateTable(gates(all)), hint ?? ''].join('\n\n');
  console.info(report);
  if (options.json !== '') writeFileSync(options.json, JSON.stringify(all, null, 1));
  if (options.svg !== '') writeFileSync(options.svg, chart(all, note()));
}

async function prepare(subject: Subject, withInstructions: boolean): Promise<Measured> {
  const file = await bundleSubject(subject, folder);
  const facts = await checkSubject(bench, subject.name, file, subject.entry !== 'empty');
  const instructions = withInstructions ? { instructions: await countInstructions(bench, file) } : {};
  console.error(`${subject.name}: ready`);
  const rounds = { coldWall: [], coldCpu: [], warmCpu: [], badJsonCpu: [], noTokenCpu: [], peak: [] };
  return { subject, file, weight: weigh(file), ...facts, ...instructions, ...rounds };
}

function note(): string {
  return `Create one plant: shorter is better. Node ${process.versions.node}, ${process.arch}, flags of ${MEMORY_SIZE} MB, medians of ${options.rounds} rounds.`;
}

/** The subjects whose names contain one of the words, ours always among them. */
function chosen(words: string): readonly Subject[] {
  if (words === '') return SUBJECTS;
  return SUBJECTS.filter(
    ({ name }) => name === 'ours' || words.split(';').some((word) => name.includes(word.trim())),
  );
}
