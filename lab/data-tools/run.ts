/** `npm run lab -- data-tools`: takes exports through other people's data tools, and imports what they write. */
import { parse } from 'yaml';
import { runCommand } from '../../cli/command-line.ts';
import { print, visible } from '../../cli/print.ts';
import { read } from '../../test/support/project.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { runTrials } from '../run-trials.ts';
import { writeSamples } from './samples.ts';
import { inTool, tryWay, type Way } from './try-way.ts';

/** A tool, how to get it, and the ways through it; tools.yaml explains the fields. */
interface Tool {
  readonly tool: string;
  readonly version: string;
  readonly install: string;
  readonly check: string;
  readonly ways: readonly Way[];
}

const TOOLS: readonly Tool[] = parse(read('lab/data-tools/tools.yaml'));
const DOCUMENT = read('docs/import.md');

await runCommand({
  script: 'lab',
  verb: 'data-tools',
  usage: '[TOOL...]',
  about: `Exports plants that are hard to keep, lets data tools read and write them, imports what they wrote into an empty store, and
compares. Exits with 1 if something differs from tools.yaml, or could not be tried.`,
  options: {},
  notes: `TOOL is one of ${TOOLS.map(({ tool }) => tool).join(', ')}.
They come from PyPI, npm, the Go module proxy, crates.io, Maven Central and, installed by apt-get, Debian 12. All other files go to a
temporary folder.`,
  operands: true,
  async main(_, chosen) {
    const samples = temporaryFolder();
    await writeSamples(samples);
    const trials = TOOLS.map((tool) => ({
      name: tool.tool,
      about: tool.version,
      run: () => tryTool(tool, samples),
    }));
    return runTrials(trials, chosen);
  },
});

/** Installs a tool, tries each way through it, and prints what was kept. @throws Error with all that is not as in tools.yaml */
async function tryTool({ tool, version, install, check, ways }: Tool, samples: string): Promise<void> {
  const folder = temporaryFolder();
  await inTool(install, folder, folder);
  const printed = await inTool(check, folder, folder);
  if (!printed.includes(version)) throw new Error(`Its version is ${printed.trim()}.`);
  const row = `| ${tool} ${version} |`;
  const problems = DOCUMENT.includes(row) ? [] : [`docs/import.md has no row ${row}`];
  for (const way of ways)
    problems.push(
      ...(await problemsOf(way, folder, samples).catch((error) => [
        `${way.way} could not be tried: ${error.message}`,
      ])),
    );
  if (problems.length > 0) throw new Error(problems.join('\n\n'));
}

async function problemsOf(way: Way, folder: string, samples: string): Promise<string[]> {
  const { differs, loses } = await tryWay(way, folder, samples);
  const kept = differs.length === 0 ? 'kept' : `${differs.length} lines differ`;
  print(`  ${[`${way.way}: ${kept}`, ...loses.map((sample) => `loses ${sample}`)].join('; ')}`);
  const shown = visible(differs.join('\n'));
  const problems: string[] = [];
  if (shown !== (way.differs ?? '').trimEnd()) problems.push(`${way.way} differs:\n${shown}`);
  if (String(loses) !== String(way.loses ?? [])) problems.push(`${way.way} loses: [${loses}]`);
  return problems;
}
