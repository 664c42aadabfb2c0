import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isThere } from '../support/needs.ts';
import { ROOT } from '../support/project.ts';
import { hasTerminal } from '../support/run-command.ts';
import { temporaryFolder } from '../support/temporary-root.ts';
import { locationOf, openTerminal, type ShellTerminal } from './shell-terminal.ts';

const SHELLS = { bash: '--noprofile --norc -i', zsh: '-f -i' } as const;
const LOCALES = ['C', 'en_US.UTF-8'] as const;

/** A shell with a locale: whatever a reader may paste into. */
export const READERS = (['bash', 'zsh'] as const).flatMap((shell) =>
  LOCALES.map((locale) => ({ shell, locale })),
);

type Reader = (typeof READERS)[number];

const locales = () => spawnSync('sh', ['-c', 'locale -a'], { encoding: 'utf8' }).stdout.split('\n');

/** Whether this machine has the terminal, the shells and the locale. */
export const hasReaders =
  hasTerminal &&
  isThere(locationOf('zsh') !== '' && locales().includes('en_US.utf8'), {
    tests: 'the shell blocks of the documents, pasted into bash and zsh',
    why: 'there is no zsh, or no locale en_US.UTF-8, here (in Debian, the packages zsh and locales).',
    required: process.env.REQUIRE_ALL === '1',
  });

/** What runs for real. Any other command of a document is a stand-in, or is not found. */
const REAL = [
  'cat',
  'comm',
  'cp',
  'grep',
  'gzip',
  'head',
  'mkdir',
  'mv',
  'rm',
  'sed',
  'seq',
  'sort',
  'stty',
  'wc',
];
const STAND_INS = [
  'aws',
  'curl',
  'gh',
  'git',
  'go',
  'hydra',
  'java',
  'jq',
  'kcadm.sh',
  'mvn',
  'node',
  'npm',
  'npx',
  'zstd',
];
/**
 * Notes its words, and does what matters to a shell: it gives a value, writes the files of an export, makes the folder of a copy, and shows 30 rows. Version 2 of the
 * AWS CLI does the latter in a pager, unless AWS_PAGER is empty (its user guide, "Using the pagination options"); its s3 commands do not.
 */
const STAND_IN = `#!/bin/sh
printf '%s\\n' "\${0##*/} $*" >> "$CALLS"
for word; do
  case $word in *.ndjson) if [ -f "$FIXTURES/$word" ]; then cp "$FIXTURES/$word" .; else : >> "$word"; fi ;; ../*) mkdir -p "$word" ;; esac
done
[ -t 1 ] || { if [ -f "$FIXTURES/$2.$4" ]; then cat "$FIXTURES/$2.$4"; else echo value; fi; exit; }
printf '%s\\n' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30
[ "\${0##*/}" = aws ] && [ "$1" != s3 ] && [ "\${AWS_PAGER-less}" ] || exit 0
stty -icanon -echo
key=$(head -c 1)
stty icanon echo
[ "$key" = q ] || echo 'FAILED=the pager takes the next line'
`;

/** The folder of all programs that a block finds. */
const bin = temporaryFolder();
if (hasReaders) for (const name of REAL) symlinkSync(locationOf(name), path.join(bin, name));
for (const name of STAND_INS) writeFileSync(path.join(bin, name), STAND_IN, { mode: 0o755 });

const STATUS = /STATUS=(\d+)/;

/** What {@link pasteInto} gives. */
export type Pasted = Awaited<ReturnType<typeof pasteInto>>;

/** The terminals that are open. */
const terminals = new Map<Reader, ShellTerminal>();

function terminalOf(reader: Reader): ShellTerminal {
  const terminal =
    terminals.get(reader) ??
    openTerminal(`${locationOf(reader.shell)} ${SHELLS[reader.shell]}`, reader.locale);
  terminals.set(reader, terminal);
  return terminal;
}

/** Call it when all blocks are pasted. */
export async function closeTerminals(): Promise<void> {
  await Promise.all([...terminals.values()].map((terminal) => terminal.end()));
}

/**
 * Pastes blocks into an interactive shell in a terminal of 24 rows, one after the other.
 * @param fixtures files by name: what the stand-ins of npm and aws write
 * @returns the calls of the stand-ins, in alphabetical order; each block that failed, with what the terminal showed; and how to read a
 *   file that the blocks wrote
 */
export async function pasteInto(
  reader: Reader,
  blocks: readonly string[],
  fixtures: Readonly<Record<string, string>>,
) {
  const base = temporaryFolder();
  const [home, calls] = [path.join(base, 'home'), path.join(base, 'calls')];
  mkdirSync(path.join(base, 'fixtures'));
  for (const [name, text] of Object.entries(fixtures)) writeFileSync(path.join(base, 'fixtures', name), text);
  // A block may read what is no page, and write in the folder.
  const filter = (file: string) => !file.endsWith('.md');
  if (blocks.some((block) => block.includes('docs/')))
    cpSync(path.join(ROOT, 'docs'), path.join(home, 'docs'), { recursive: true, filter });
  mkdirSync(path.join(home, '.plant-store'), { recursive: true });
  for (const file of ['.plant-store/token', 'FILE']) writeFileSync(path.join(home, file), 'any');
  writeFileSync(calls, '');
  const terminal = terminalOf(reader);
  await terminal.start(base);
  /** Pastes a block, and a token or a secret if it asks for one; then waits until the shell takes the next line. */
  const paste = async (block: string) => {
    terminal.type(`${block.trimEnd().replaceAll('\n', '\r')}\r`);
    if (block.includes('read -rs')) {
      await terminal.until(/(Token|secret): $/);
      terminal.typeMore('any\r');
    }
    // In a pager, this ends it; in the shell, it does nothing. What the terminal shows of the line itself has no equals sign.
    terminal.typeMore(`q\rprintf 'STATUS%s\\n' "=$?"\r`);
    await terminal.until(STATUS);
    const shown = terminal.screen();
    return { status: STATUS.exec(shown)?.[1], shown: shown.replaceAll(/^\d+\r\n/gm, '') };
  };
  const failed: { block: string; shown: string }[] = [];
  await paste(`PATH=${bin}; q() { return $?; }; trap 'printf "FAILED%s\\n" "=$?"' ERR`);
  for (const block of blocks) {
    const { status, shown } = await paste(block);
    if (status !== '0' || shown.includes('FAILED=')) failed.push({ block, shown });
    // What waits would take the next block as its input.
    if (status === undefined) break;
  }
  terminal.type('exit\r');
  if (!(await terminal.hasEnded(failed.length > 0 ? 100 : undefined))) {
    terminals.delete(reader);
    await terminal.kill();
  }
  const read = (file: string) => readFileSync(path.join(home, file), 'utf8');
  return { calls: readFileSync(calls, 'utf8').split('\n').sort(), failed, read };
}
