import { table } from '../../terminal/command-line.ts';
import { print } from '../../terminal/print.ts';
import { type Commits, commitsOf } from './commits.ts';
import type { LiveFunction } from './live-function.ts';

/** How many of the newest versions are listed. */
const NEWEST = 10;

/**
 * Prints the newest versions of a function, and older ones that a rollback concerns, newest first. Whether their commits are known
 * decides nothing, so a failure to read them is only said.
 * @param to the version that the command line names
 */
export async function printVersions(stage: string, live: LiveFunction, to = ''): Promise<void> {
  const newest = live.versions.slice(-NEWEST).map(({ Version = '' }) => Version);
  const named = live.versions.some(({ Version }) => Version === to) ? [to] : [];
  const listed = [...new Set([...newest, ...live.serving, ...named])].sort((a, b) => Number(b) - Number(a));
  const { commits, problem } = await commitsOf(live, listed);
  const rows = listed.map((version) => row(version, live, commits));
  print(`Stage ${stage}, alias ${live.alias.Name} of ${live.functionName}:
${table([['version', 'published', 'commit', 'memory', 'code'], ...rows])}`);
  if (problem !== undefined)
    print(`The events of the stack, which have the commits, cannot be read: ${problem}`);
}

function row(version: string, live: LiveFunction, commits: Commits['commits']): string[] {
  const { alias, weights, versions, marked } = live;
  const found = versions.find(({ Version }) => Version === version);
  const { [version]: part } = weights;
  const words = [
    ...(version === alias.FunctionVersion ? ['live'] : []),
    ...(part === undefined ? [] : [`${Number((part * 100).toPrecision(3))} %`]),
    ...(marked.has(version) ? ['rolled back'] : []),
  ].join(', ');
  if (!found) return [version, 'no longer there', '', '', '', words];
  const { LastModified, MemorySize, CodeSha256 } = found;
  return [
    version,
    LastModified ? `${LastModified.slice(0, 16).replace('T', ' ')} UTC` : 'not known',
    commits.get(version) ?? 'not known',
    MemorySize === undefined ? 'not known' : `${MemorySize} MB`,
    CodeSha256?.slice(0, 8) ?? 'not known',
    words,
  ];
}
