import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { PlainError } from '../cli/plain-error.ts';

/** What a folder holds, and what the description of a stage's alias says is deployed. */
export interface WorkingCopy {
  /** The commit, 40 hexadecimal digits; undefined if it is not known. */
  readonly commit: string | undefined;
  /** Whether the files differ from the commit. */
  readonly isModified: boolean;
  /** Why git does not know the commit, in its words. */
  readonly problem?: string;
}

/** Not under version control, or not known to be. */
export const UNKNOWN: WorkingCopy = { commit: undefined, isModified: false };

/** Runs git in a folder. @returns what it prints @throws Error if it fails */
function git(folder: string, ...words: string[]): string {
  // For a hook, git sets GIT_DIR and others, and would then read another repository (git(1), "Environment Variables").
  // Its configuration stays: it may have `safe.directory`.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^GIT_(?!CONFIG_)/.test(name)),
  );
  const options = { cwd: folder, env, encoding: 'utf8', timeout: 10_000 } as const;
  return execFileSync('git', words, { ...options, stdio: 'pipe' });
}

/** Whether a text is the whole id of a commit. */
export const isCommit = (text: string): boolean => /^[0-9a-f]{40}$/.test(text);

/**
 * Reads the commit of a folder of the project. Files that git ignores do not count.
 * @param given the commit of a folder of which git does not know it, such as one that a pipeline unpacked
 * @returns no commit but the given one, and the problem, without git, outside of a repository, in one of another user, and in one whose
 *   commit has no such folder
 * @throws PlainError if git knows another commit than the given one
 */
export function readWorkingCopy(folder: string, given?: string): WorkingCopy {
  const copy = askGit(folder);
  if (given !== undefined && copy.commit !== undefined && copy.commit !== given)
    throw new PlainError(`The commit of this folder is ${copy.commit}, not ${given}.`);
  return { ...copy, commit: copy.commit ?? given };
}

function askGit(folder: string): WorkingCopy {
  try {
    // The second one fails in a copy that lies in the folder of another repository.
    const [commit] = git(folder, 'rev-parse', 'HEAD', 'HEAD:./package.json').split('\n');
    const status = ['--no-optional-locks', 'status', '--porcelain', '--untracked-files=normal', '--', '.'];
    return { commit, isModified: git(folder, ...status) !== '' };
  } catch (error) {
    const { code, stderr = '' } = error as NodeJS.ErrnoException & { stderr?: string };
    const said = `git says: ${stderr.trim().replace(/\s+/g, ' ')}`;
    return { ...UNKNOWN, problem: code === 'ENOENT' ? 'there is no git here' : said };
  }
}

/**
 * Counts the commits between a folder's commit and another one.
 * @returns how many only the folder's history has, and how many only the other's; undefined if git does not know the commit, or is not there
 */
export function countCommits(folder: string, commit: string): { ahead: number; behind: number } | undefined {
  try {
    const counted = git(folder, 'rev-list', '--count', '--left-right', `${commit}...HEAD`).split('\t');
    const [behind = 0, ahead = 0] = counted.map(Number);
    return { ahead, behind };
  } catch {
    return undefined;
  }
}

/**
 * The commands that bring a commit into a folder's history. By its id, they find it on a branch that a clone does not follow, and merge it
 * on any branch or none. A shallow clone, as `git clone --depth 1` makes it, also lacks older commits.
 */
export function mergeCommands(folder: string, commit: string): string {
  const isShallow = git(folder, 'rev-parse', '--is-shallow-repository') === 'true\n';
  return `git fetch ${isShallow ? '--unshallow ' : ''}origin ${commit} && git merge ${commit}`;
}

const PATTERN = /^commit (?<commit>[0-9a-f]{40})(?<modified>, modified)?$/;

/** @returns the description of the alias of what was deployed, at most 256 characters (Lambda API Reference, "UpdateAlias") */
export function formatAliasDescription({ commit, isModified }: WorkingCopy): string {
  return `commit ${commit === undefined ? 'not known' : `${commit}${isModified ? ', modified' : ''}`}`;
}

/** Reads the description of an alias. One that no deployment has written names no commit. */
export function parseAliasDescription(text: string | undefined): WorkingCopy {
  const { commit, modified } = PATTERN.exec(text ?? '')?.groups ?? {};
  return { commit, isModified: modified !== undefined };
}
