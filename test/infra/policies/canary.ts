import { type Json, only, resources, type Synth } from '../synth.ts';
import { broken, change, each, type Policy } from './policy.ts';

const GROUP = 'AWS::CodeDeploy::DeploymentGroup';
const ALIAS = 'AWS::Lambda::Alias';

/** The names of the alarms that roll back a deployment, without the stage name. */
function rollbackAlarms({ template, ...synth }: Synth): string[] {
  const alarms: Json[] = only({ template, ...synth }, GROUP).Properties.AlarmConfiguration?.Alarms ?? [];
  return alarms.map(({ Name }) => template.Resources[Name.Ref]?.Properties.AlarmName.split('-').at(-1));
}

export const canaryPolicies: Policy[] = [
  {
    says: 'CodeDeploy shifts the alias: by canary if the stage has one, otherwise all at once',
    violations: (synth) => [
      ...each(synth, ALIAS, ({ UpdatePolicy }) => ({
        'CodeDeploy group': [
          UpdatePolicy?.CodeDeployLambdaAliasUpdate?.DeploymentGroupName,
          { Ref: resources(synth, GROUP)[0]?.[0] },
        ],
      })),
      ...each(synth, GROUP, ({ Properties }) => {
        const { canaryMinutes } = synth.stage;
        const way = canaryMinutes ? `Canary10Percent${canaryMinutes}Minutes` : 'AllAtOnce';
        return {
          DeploymentConfigName: [Properties.DeploymentConfigName, `CodeDeployDefault.Lambda${way}`],
        };
      }),
    ],
    mutations: [
      change(ALIAS, 'UpdatePolicy'),
      change(GROUP, 'Properties.DeploymentConfigName', 'CodeDeployDefault.LambdaCanary10Percent5Minutes'),
    ],
  },
  {
    says: 'a failed or stopped deployment is rolled back; with a canary, also when an alarm on faults of the service fires',
    violations: (synth) => {
      const { AlarmConfiguration, AutoRollbackConfiguration } = only(synth, GROUP).Properties;
      const hasCanary = synth.stage.canaryMinutes !== undefined;
      return broken(GROUP, {
        alarms: [rollbackAlarms(synth), hasCanary ? ['Faults', 'FunctionErrors'] : []],
        // False, not omitted: CloudFormation would keep the group's earlier alarms.
        'use of alarms': [AlarmConfiguration?.Enabled, hasCanary],
        'use of rollbacks': [AutoRollbackConfiguration.Enabled, true],
        'reasons for a rollback': [
          [...AutoRollbackConfiguration.Events].sort(),
          [
            'DEPLOYMENT_FAILURE',
            ...(hasCanary ? ['DEPLOYMENT_STOP_ON_ALARM'] : []),
            'DEPLOYMENT_STOP_ON_REQUEST',
          ],
        ],
      });
    },
    mutations: [
      (synth) => {
        const [refused] =
          resources(synth, 'AWS::CloudWatch::Alarm').find(([id]) => id.startsWith('RefusedTokens')) ?? [];
        const configuration = { Enabled: true, Alarms: [{ Name: { Ref: refused } }] };
        change(GROUP, 'Properties.AlarmConfiguration', configuration)(synth);
      },
      change(GROUP, 'Properties.AutoRollbackConfiguration.Events', []),
      change(GROUP, 'Properties.AutoRollbackConfiguration.Events.1', 'DEPLOYMENT_FAILURE'),
    ],
  },
];
