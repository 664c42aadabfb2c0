import type { FunctionConfiguration } from '@aws-sdk/client-lambda';
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
  const oldest = live.versions.length - NEWEST;
  const listed = live.versions
    .filter(({ Version = '' }, n) => n >= oldest || live.serving.includes(Version) || Version === to)
    .reverse();
  const numbers = listed.map(({ Version = '' }) => Version);
  const { commits, problem } = await commitsOf(live, numbers);
  const rows = listed.map((version) => row(version, live, commits));
  print(`Stage ${stage}, alias ${live.alias.Name} of ${live.functionName}:
${table([['version', 'published', 'commit', 'memory', 'code'], ...rows])}`);
  if (problem !== undefined)
    print(`The events of the stack, which have the commits, cannot be read: ${problem}`);
}

function row(
  { Version = '', LastModified = '', MemorySize, CodeSha256 = '' }: FunctionConfiguration,
  { alias, marked }: LiveFunction,
  commits: Commits['commits'],
): string[] {
  const part = alias.RoutingConfig?.AdditionalVersionWeights?.[Version];
  const words = [
    ...(Version === alias.FunctionVersion ? ['live'] : []),
    ...(part === undefined ? [] : [`${Number((part * 100).toPrecision(3))} %`]),
    ...(marked.has(Version) ? ['rolled back'] : []),
  ];
  const published = `${LastModified.slice(0, 16).replace('T', ' ')} UTC`;
  const commit = commits.get(Version) ?? 'not known';
  return [Version, published, commit, `${MemorySize} MB`, CodeSha256.slice(0, 8), words.join(', ')];
}
