import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isThere } from '../support/needs.ts';
import { ROOT } from '../support/project.ts';
import { hasTerminal } from '../support/run-command.ts';
import { temporaryFolder } from '../support/temporary-root.ts';

const SHELLS = { bash: '--noprofile --norc -i', zsh: '-f -i' } as const;
const LOCALES = ['C', 'en_US.UTF-8'] as const;

/** A shell with a locale: whatever a reader may paste into. */
export const READERS = (['bash', 'zsh'] as const).flatMap((shell) =>
  LOCALES.map((locale) => ({ shell, locale })),
);

type Reader = (typeof READERS)[number];

const printedBy = (command: string) => spawnSync('sh', ['-c', command], { encoding: 'utf8' }).stdout.trim();
const locationOf = (program: string) => printedBy(`command -v ${program}`);

/** Whether this machine has the terminal, the shells and the locale. */
export const hasReaders =
  hasTerminal &&
  isThere(locationOf('zsh') !== '' && printedBy('locale -a').split('\n').includes('en_US.utf8'), {
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

/** What {@link pasteInto} gives. */
export type Pasted = Awaited<ReturnType<typeof pasteInto>>;

/** How long a block may take, in milliseconds. A stand-in ends at once. */
const PATIENCE_MS = 15_000;

/**
 * Pastes blocks into an interactive shell in a terminal of 24 rows, one after the other.
 * @param fixtures files by name: what the stand-ins of npm and aws write
 * @returns the calls of the stand-ins, in alphabetical order; each block that failed, with what the terminal showed; and how to read a
 *   file that the blocks wrote
 */
export async function pasteInto(
  { shell, locale }: Reader,
  blocks: readonly string[],
  fixtures: Readonly<Record<string, string>>,
) {
  const [folder, fixtureFolder] = [temporaryFolder(), temporaryFolder()];
  for (const [name, text] of Object.entries(fixtures)) writeFileSync(path.join(fixtureFolder, name), text);
  // A block may read what is no page, and write in the folder.
  const filter = (file: string) => !file.endsWith('.md');
  if (blocks.some((block) => block.includes('docs/')))
    cpSync(path.join(ROOT, 'docs'), path.join(folder, 'docs'), { recursive: true, filter });
  mkdirSync(path.join(folder, '.plant-store'));
  for (const file of ['.plant-store/token', 'FILE']) writeFileSync(path.join(folder, file), 'any');
  const CALLS = path.join(fixtureFolder, 'calls');
  writeFileSync(CALLS, '');
  const env = { PATH: bin, CALLS, FIXTURES: fixtureFolder, HOME: folder, LANG: locale, TERM: 'dumb' };
  const start = `stty rows 24 cols 80; exec ${locationOf(shell)} ${SHELLS[shell]}`;
  const script = spawn(locationOf('script'), ['-qec', start, '/dev/null'], {
    cwd: folder,
    env: { ...env, PATH: process.env.PATH, SHELL: '/bin/sh' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(script, 'close');
  let screen = '';
  script.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
  });
  const until = async (isDone: () => boolean) => {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    while (!isDone() && !signal.aborted) await once(script.stdout, 'data', { signal }).catch(() => undefined);
  };
  /** Pastes a block, and a token or a secret if it asks for one; then waits until the shell takes the next line. */
  const paste = async (block: string) => {
    screen = '';
    script.stdin.write(`${block.trimEnd().replaceAll('\n', '\r')}\r`);
    if (block.includes('read -rs')) {
      await until(() => /(Token|secret): $/.test(screen));
      script.stdin.write('any\r');
    }
    // In a pager, this ends it; in the shell, it does nothing. What the terminal shows of the line itself has no equals sign.
    script.stdin.write(`q\rprintf 'STATUS%s\\n' "=$?"\r`);
    const status = () => /STATUS=(\d+)/.exec(screen)?.[1];
    await until(() => status() !== undefined);
    return { status: status(), shown: screen.replaceAll(/^\d+\r\n/gm, '') };
  };
  const failed: { block: string; shown: string }[] = [];
  await paste(`PATH=${bin}; q() { return $?; }; trap 'printf "FAILED%s\\n" "=$?"' ERR`);
  for (const block of blocks) {
    const { status, shown } = await paste(block);
    if (status !== '0' || shown.includes('FAILED=')) failed.push({ block, shown });
    // What waits would take the next block as its input.
    if (status === undefined) break;
  }
  // Only what waits for something else needs the signal, which takes script(1) two seconds.
  script.stdin.write('exit\r');
  await Promise.race([ended, pause(failed.length > 0 ? 100 : PATIENCE_MS)]);
  script.kill();
  await ended;
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
  return { calls: readFileSync(CALLS, 'utf8').split('\n').sort(), failed, read };
}
