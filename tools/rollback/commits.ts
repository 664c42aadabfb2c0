import {
  CloudFormationClient,
  paginateDescribeStackEvents,
  type StackEvent,
} from '@aws-sdk/client-cloudformation';
import { type AliasDescription, parseAliasDescription } from '../../infra/alias-description.ts';
import { explain } from '../../infra/deployed/aws.ts';
import type { DeployedStack } from '../../infra/deployed/deployed-stack.ts';
import type { LiveFunction } from './live-function.ts';

/**
 * A stack keeps its events (github.com/aws-cloudformation/cloudformation-languageserver, pull request 59), so there may be many
 * pages; and clients may be waiting for the rollback.
 */
const LIMITS = { pages: 10, milliseconds: 5_000 };

/** The commits by the versions with which they were deployed last, and why there may be more, if the events could not be read. */
export interface Commits {
  readonly commits: ReadonlyMap<string, string>;
  readonly problem?: string;
}

/**
 * Finds the commits of versions: in the alias's description, and in CloudFormation's events of the alias, which have its properties as
 * JSON (CloudFormation API Reference, "StackEvent"). LocalStack's events of an update do not name the new version; AWS's are untried.
 * @param wanted the search ends when the commits of these versions are known
 */
export async function commitsOf(live: LiveFunction, wanted: readonly string[]): Promise<Commits> {
  const commits = new Map<string, string>();
  const add = (version: string | undefined, { commit, isModified }: AliasDescription) => {
    if (version === undefined || commit === undefined || commits.has(version)) return;
    commits.set(version, `${commit.slice(0, 12)}${isModified ? ', modified' : ''}`);
  };
  const current = parseAliasDescription(live.alias.Description);
  add(current.rolledBackFrom ?? live.alias.FunctionVersion, current);
  try {
    let pages = 0;
    for await (const { StackEvents = [] } of eventsOf(live.stack)) {
      for (const { FunctionVersion, Description } of StackEvents.map(aliasProperties))
        add(FunctionVersion, parseAliasDescription(Description));
      pages += 1;
      if (pages === LIMITS.pages || wanted.every((version) => commits.has(version))) break;
    }
    return { commits };
  } catch (error) {
    return { commits, problem: explain(error) };
  }
}

/** The pages of a stack's events, newest first (CloudFormation API Reference, "DescribeStackEvents"). */
function eventsOf({ name, settings }: DeployedStack) {
  const client = new CloudFormationClient(settings);
  const options = { abortSignal: AbortSignal.timeout(LIMITS.milliseconds) };
  return paginateDescribeStackEvents({ client }, { StackName: name }, options);
}

/** The properties of the alias after an event that changed it; nothing for any other event. */
function aliasProperties(event: StackEvent): { FunctionVersion?: string; Description?: string } {
  const { ResourceType, ResourceStatus = '', ResourceProperties = '{}' } = event;
  // A deployment that fails has events of a commit that was never deployed.
  if (ResourceType !== 'AWS::Lambda::Alias' || !/^(CREATE|UPDATE)_COMPLETE$/.test(ResourceStatus)) return {};
  return Object(JSON.parse(ResourceProperties));
}
