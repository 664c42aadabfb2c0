import { only, resources, type Synth, textOf } from '../synth.ts';
import { differ, every, find, mutate, type Policy } from './policy.ts';

const GROUP = 'AWS::CodeDeploy::DeploymentGroup';
const ALIAS = 'AWS::Lambda::Alias';

/** The logical ids of the alarms that roll back a deployment, without the CDK's 8 digits. */
function rollbackAlarms(synth: Synth): string[] {
  const { Alarms = [] } = only(synth, GROUP).Properties.AlarmConfiguration ?? {};
  return Alarms.map(({ Name }: { Name: object }) => textOf(Name).slice(1, -9));
}

export const canaryPolicies: Policy[] = [
  {
    says: 'CodeDeploy shifts the traffic of the alias: by canary if the stage has one, otherwise all at once',
    violations: (synth) => {
      const { canaryMinutes } = synth.stage;
      const way = canaryMinutes ? `Canary10Percent${canaryMinutes}Minutes` : 'AllAtOnce';
      return [
        ...every(synth, ALIAS, {
          'UpdatePolicy.CodeDeployLambdaAliasUpdate.DeploymentGroupName': {
            Ref: resources(synth, GROUP)[0]?.[0],
          },
        }),
        ...every(synth, GROUP, { DeploymentConfigName: `CodeDeployDefault.Lambda${way}` }),
      ];
    },
    mutants: [
      [ALIAS, 'UpdatePolicy'],
      [GROUP, 'DeploymentConfigName', 'CodeDeployDefault.LambdaCanary10Percent5Minutes'],
    ],
  },
  {
    says: 'a failed or stopped deployment is rolled back; with a canary, so is one during which an alarm on faults fires',
    violations: (synth) => {
      const hasCanary = synth.stage.canaryMinutes !== undefined;
      const onAlarm = hasCanary ? ['DEPLOYMENT_STOP_ON_ALARM'] : [];
      return [
        ...differ('list of alarms', rollbackAlarms(synth), hasCanary ? ['Faults', 'FunctionErrors'] : []),
        ...every(synth, GROUP, {
          // False, not omitted: CloudFormation would keep the group's earlier alarms.
          'AlarmConfiguration.Enabled': hasCanary,
          'AutoRollbackConfiguration.Enabled': true,
          'AutoRollbackConfiguration.Events': [
            'DEPLOYMENT_FAILURE',
            'DEPLOYMENT_STOP_ON_REQUEST',
            ...onAlarm,
          ],
        }),
      ];
    },
    mutants: [
      (synth) => {
        const Ref = find(synth, 'RefusedTokens')[0]?.[0];
        mutate(synth, [GROUP, 'AlarmConfiguration', { Enabled: true, Alarms: [{ Name: { Ref } }] }]);
      },
      [GROUP, 'AutoRollbackConfiguration.Events', []],
      [GROUP, 'AutoRollbackConfiguration.Events.1', 'DEPLOYMENT_FAILURE'],
    ],
  },
];
