import {
  CloudFormationClient,
  paginateDescribeStackEvents,
  type StackEvent,
} from '@aws-sdk/client-cloudformation';
import type { FunctionConfiguration } from '@aws-sdk/client-lambda';
import { type AliasDescription, parseAliasDescription } from '../../infra/alias-description.ts';
import { explain } from '../../operate/deployed/aws.ts';
import { table } from '../../terminal/command-line.ts';
import { print } from '../../terminal/print.ts';
import type { LiveFunction } from './live-function.ts';

/** How many of the newest versions are listed. */
const NEWEST = 10;

/**
 * A stack keeps its events (github.com/aws-cloudformation/cloudformation-languageserver, pull request 59), so there may be many
 * pages; and clients may be waiting for the rollback.
 */
const LIMITS = { pages: 10, milliseconds: 5_000 };

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
  commits: ReadonlyMap<string, string>,
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

/**
 * Finds the commits of versions: in the alias's description, and in CloudFormation's events of the alias, which have its properties as
 * JSON (CloudFormation API Reference, "StackEvent"). LocalStack's events of an update do not name the new version; AWS's are untried.
 * @param wanted the search ends when the commits of these versions are known
 * @returns the commits by the versions with which they were deployed last, and why there may be more, if the events cannot be read
 */
async function commitsOf(live: LiveFunction, wanted: readonly string[]) {
  const commits = new Map<string, string>();
  const add = (version: string | undefined, { commit, isModified }: AliasDescription) => {
    if (version === undefined || commit === undefined || commits.has(version)) return;
    commits.set(version, `${commit.slice(0, 12)}${isModified ? ', modified' : ''}`);
  };
  const current = parseAliasDescription(live.alias.Description);
  add(current.rolledBackFrom ?? live.alias.FunctionVersion, current);
  const { name: StackName, settings } = live.stack;
  const client = new CloudFormationClient(settings);
  const limit = { abortSignal: AbortSignal.timeout(LIMITS.milliseconds) };
  try {
    let pages = 0;
    // Newest first (CloudFormation API Reference, "DescribeStackEvents").
    for await (const { StackEvents = [] } of paginateDescribeStackEvents({ client }, { StackName }, limit)) {
      for (const { FunctionVersion, Description } of StackEvents.map(aliasProperties))
        add(FunctionVersion, parseAliasDescription(Description));
      pages += 1;
      if (pages === LIMITS.pages || wanted.every((version) => commits.has(version))) break;
    }
    return { commits, problem: undefined };
  } catch (error) {
    return { commits, problem: explain(error) };
  }
}

/** The properties of the alias after an event that changed it; nothing for any other event. */
function aliasProperties(event: StackEvent): { FunctionVersion?: string; Description?: string } {
  const { ResourceType, ResourceStatus = '', ResourceProperties = '{}' } = event;
  // A deployment that fails has events of a commit that was never deployed.
  if (ResourceType !== 'AWS::Lambda::Alias' || !/^(CREATE|UPDATE)_COMPLETE$/.test(ResourceStatus)) return {};
  return Object(JSON.parse(ResourceProperties));
}
