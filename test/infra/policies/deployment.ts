import { type Deployed, type Json, only, resources } from '../deployed.ts';
import { broken, each, type Policy, same } from './policy.ts';

const GROUP = 'AWS::CodeDeploy::DeploymentGroup';
const ALIAS = 'AWS::Lambda::Alias';
const VERSION = 'AWS::Lambda::Version';

/** The names of the alarms that take a new version back, without the stage's. */
function rollbackAlarms(deployed: Deployed): string[] {
  const alarms: Json[] = only(deployed, GROUP).Properties.AlarmConfiguration?.Alarms ?? [];
  return alarms.map(({ Name }) =>
    deployed.template.Resources[Name.Ref]?.Properties.AlarmName.split('-').at(-1),
  );
}

export const deploymentPolicies: Policy[] = [
  {
    says: 'CodeDeploy moves the alias: by canary where the stage has one, else all at once',
    violations: (deployed) => [
      ...each(deployed, ALIAS, ({ UpdatePolicy }) => ({
        'CodeDeploy moves it': same(UpdatePolicy?.CodeDeployLambdaAliasUpdate?.DeploymentGroupName, {
          Ref: resources(deployed, GROUP)[0]?.[0],
        }),
      })),
      ...each(deployed, GROUP, ({ Properties }) => {
        const { canaryMinutes } = deployed.stage;
        const way = canaryMinutes ? `Canary10Percent${canaryMinutes}Minutes` : 'AllAtOnce';
        return { [way]: Properties.DeploymentConfigName === `CodeDeployDefault.Lambda${way}` };
      }),
    ],
    mutations: [
      (d) => Object.assign(only(d, ALIAS), { UpdatePolicy: undefined }),
      (d) => {
        only(d, GROUP).Properties.DeploymentConfigName = 'CodeDeployDefault.LambdaCanary10Percent5Minutes';
      },
    ],
  },
  {
    says: 'only faults of ours take a new version back, and no alarm is asked where there is no canary',
    violations: (deployed) => {
      const { AlarmConfiguration, AutoRollbackConfiguration } = only(deployed, GROUP).Properties;
      const hasCanary = deployed.stage.canaryMinutes !== undefined;
      return broken(
        {
          'faults and function errors only': same(
            rollbackAlarms(deployed),
            hasCanary ? ['Faults', 'FunctionErrors'] : [],
          ),
          'switched on with a canary only': (AlarmConfiguration?.Enabled ?? false) === hasCanary,
          'an alarm takes it back':
            AutoRollbackConfiguration.Events.includes('DEPLOYMENT_STOP_ON_ALARM') === hasCanary,
          'a failure takes it back': AutoRollbackConfiguration.Events.includes('DEPLOYMENT_FAILURE'),
        },
        GROUP,
      );
    },
    mutations: [
      (d) => {
        const [refused] =
          resources(d, 'AWS::CloudWatch::Alarm').find(([id]) => id.startsWith('RefusedTokens')) ?? [];
        only(d, GROUP).Properties.AlarmConfiguration = {
          Enabled: true,
          Alarms: [{ Name: { Ref: refused } }],
        };
      },
      (d) => {
        only(d, GROUP).Properties.AutoRollbackConfiguration.Events = [];
      },
    ],
  },
  {
    says: 'every published version stays to go back to where the stage is protected',
    violations: (deployed) =>
      each(deployed, VERSION, ({ DeletionPolicy }) => ({
        'what happens to an old version':
          DeletionPolicy === (deployed.stage.isProtected ? 'Retain' : 'Delete'),
      })),
    mutations: [
      (d) => {
        const [[, version] = []] = resources(d, VERSION);
        Object.assign(version ?? {}, { DeletionPolicy: 'RetainExceptOnCreate' });
      },
    ],
  },
];
