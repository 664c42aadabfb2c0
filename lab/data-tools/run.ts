/** `npm run lab -- data-tools`: takes exports through other people's data tools, and imports what they write. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../.ci/installation.ts';
import { runCommand, UsageError } from '../../cli/command-line.ts';
import { print, visible } from '../../cli/print.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { writeSamples } from './samples.ts';
import { TOOLS, type Tool } from './tool.ts';
import { inTool, tryWay } from './try-way.ts';

const NAMES = TOOLS.map(({ tool }) => tool);
const DOCUMENT = readFileSync(path.join(ROOT, 'docs/import.md'), 'utf8');
/** What a tool does otherwise than tools.yaml says. */
const unexpected: string[] = [];
/** What could not be tried, because a tool cannot be installed, fails, or one of our commands does. */
const untried: string[] = [];

await runCommand({
  script: 'lab',
  verb: 'data-tools',
  usage: '[TOOL...]',
  about: `Exports plants that are hard to keep, lets data tools read and write them, imports what they wrote into an empty store, and
compares. Exits with 1 if something differs from tools.yaml, or could not be tried.`,
  options: {},
  notes: `TOOL is one of ${NAMES.join(', ')}.
They come from PyPI, npm, the Go module proxy, crates.io and, installed by apt-get, Debian 12. All other files go to a temporary folder.`,
  operands: true,
  async main(_, names) {
    const unknown = names.find((name) => !NAMES.includes(name));
    if (unknown !== undefined) throw new UsageError(`There is no tool ${unknown}; --help shows the names.`);
    const samples = temporaryFolder();
    await writeSamples(samples);
    for (const tool of TOOLS)
      if (names.length === 0 || names.includes(tool.tool)) await tryTool(tool, samples);
    list('Could not be tried', untried);
    list('Not as in tools.yaml', unexpected);
    const isExpected = untried.length + unexpected.length === 0;
    if (isExpected) print('\nAll is as in tools.yaml.');
    return isExpected;
  },
});

function list(title: string, entries: readonly string[]): void {
  if (entries.length > 0) print(`\n${title}:\n\n${entries.join('\n\n')}`);
}

/** Installs a tool, tries each way through it, and prints what was kept. */
async function tryTool({ tool, version, install, check, ways }: Tool, samples: string): Promise<void> {
  const name = `${tool} ${version}`;
  print(`\n${name}`);
  const folder = temporaryFolder();
  try {
    await inTool(install, folder, folder);
    const printed = await inTool(check, folder, folder);
    if (!printed.includes(version)) throw new Error(`Its version is ${printed.trim()}.`);
  } catch (error) {
    print('  not installed');
    untried.push(`${name}: ${(error as Error).message}`);
    return;
  }
  if (!DOCUMENT.includes(`| ${name} |`)) unexpected.push(`docs/import.md has no row for ${name}.`);
  for (const each of ways) {
    const way = `${name}, ${each.way}`;
    try {
      const { differs, loses } = await tryWay(each, folder, samples);
      const kept = differs.length === 0 ? 'kept' : `${differs.length} lines differ`;
      print(`  ${[`${each.way}: ${kept}`, ...loses.map((sample) => `loses ${sample}`)].join('; ')}`);
      const shown = visible(differs.join('\n'));
      if (shown !== (each.differs ?? '').trimEnd()) unexpected.push(`${way} differs:\n${shown}`);
      if (String(loses) !== String(each.loses ?? [])) unexpected.push(`${way} loses: [${loses}]`);
    } catch (error) {
      print(`  ${each.way}: not tried`);
      untried.push(`${way}: ${(error as Error).message}`);
    }
  }
}
