import { error, type Fields, is, type Reply, type Responses, stack } from './aws-stand-in.ts';

/** A version as ListVersionsByFunction shows it. */
export const version = (Version: string, day: string, tables = 'Plants', Role = 'role') => ({
  Version,
  LastModified: `2026-11-${day}T14:02:33.123+0000`,
  CodeSha256: `hash${Version}abcdefghijk=`,
  MemorySize: 1024,
  Role,
  Environment: { Variables: { PLANTS_TABLE: tables, ACCESS_TOKENS_TABLE: 'Tokens', OTHER: Version } },
});

export const versions = (...Versions: Fields[]): Responses => ({
  ListVersionsByFunction: is({ Versions: [version('$LATEST', '20'), ...Versions] }),
});

/** The alias `live`. @param more such as its description */
export const live = (FunctionVersion: string, more: Fields = {}): Fields & { Name: string } => ({
  Name: 'live',
  FunctionVersion,
  RevisionId: 'r1',
  ...more,
});

/** The alias that marks a version as left by a rollback. */
export const mark = (FunctionVersion: string) => ({
  Name: `rolled-back-${FunctionVersion}`,
  FunctionVersion,
});

export const aliases = (...Aliases: Fields[]): Responses => ({ ListAliases: is({ Aliases }) });

/** An event of the alias, after a deployment of a version. */
export const deployed = (
  FunctionVersion: string,
  Description: string,
  ResourceStatus = 'UPDATE_COMPLETE',
) => ({
  ResourceType: 'AWS::Lambda::Alias',
  ResourceStatus,
  ResourceProperties: JSON.stringify({ Name: 'live', FunctionVersion, Description }),
});

const resource = (type: string, PhysicalResourceId: string) => ({
  LogicalResourceId: 'Any',
  ResourceType: `AWS::${type}`,
  PhysicalResourceId,
});

/** Stage prod with versions 5, 6 and 10, and the alias at 10. Lambda lists them on two pages. */
export const DEPLOYED: Responses = {
  ...stack('UPDATE_COMPLETE'),
  ListStackResources: is({
    StackResourceSummaries: [
      resource('Lambda::Function', 'PlantStore-prod-Function'),
      resource('CodeDeploy::Application', 'App'),
      // CloudFormation may put the application in front of the name of the group.
      resource('CodeDeploy::DeploymentGroup', 'App|Group'),
    ],
  }),
  DescribeStackEvents: is({ StackEvents: [] }),
  ListDeployments: is({ deployments: [] }),
  ListVersionsByFunction: ({ Marker }) =>
    is(
      Marker
        ? { Versions: [version('5', '01'), version('6', '13')] }
        : { Versions: [version('$LATEST', '20'), version('10', '20')], NextMarker: 'more' },
    ),
  ...aliases(live('10')),
  UpdateAlias: ({ Name, FunctionVersion }) => is({ Name, FunctionVersion }),
  CreateAlias: ({ Name, FunctionVersion }) => is({ Name, FunctionVersion }),
  DeleteAlias: is({}),
};

const NO_ALIAS = error('ResourceNotFoundException', 'Cannot find alias', 404);

/**
 * The aliases of a function as Lambda keeps them: it refuses a second one of a name, and to move one whose revision is not the
 * caller's.
 */
export function keptAliases(...initial: readonly (Fields & { Name: string })[]) {
  const kept = new Map<unknown, Fields>(initial.map((alias) => [alias.Name, alias]));
  const reply = (alias: Fields | undefined): Reply => (alias ? is(alias) : NO_ALIAS);
  const responses: Responses = {
    ListAliases: () => is({ Aliases: [...kept.values()] }),
    GetAlias: ({ Name }) => reply(kept.get(Name)),
    UpdateAlias: ({ FunctionName: _, ...changed }) => {
      const { Name, RevisionId } = changed;
      if (RevisionId !== kept.get(Name)?.RevisionId)
        return error('PreconditionFailedException', 'The Revision Id does not match', 412);
      kept.set(Name, { ...changed, RevisionId: `${RevisionId}+` });
      return reply(kept.get(Name));
    },
    CreateAlias: ({ FunctionName: _, ...created }) => {
      if (kept.has(created.Name)) return error('ResourceConflictException', 'Alias already exists', 409);
      kept.set(created.Name, created);
      return is(created);
    },
    DeleteAlias: ({ Name }) => (kept.delete(Name) ? is({}) : NO_ALIAS),
  };
  /** The version and the description of each alias. */
  const now = () =>
    Object.fromEntries(
      [...kept].map(([name, alias]) => [name, [alias.FunctionVersion, alias.Description ?? '']]),
    );
  return { responses, now };
}
