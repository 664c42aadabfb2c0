import { every, type Policy } from './policy.ts';

export const canaryPolicies: Policy[] = [
  {
    says: 'a deployment is by canary if the stage has one; if it fails, is stopped or sets off an alarm, it is rolled back',
    violations: (synth) => {
      const { canaryMinutes } = synth.stage;
      const way = canaryMinutes ? `Canary10Percent${canaryMinutes}Minutes` : 'AllAtOnce';
      return [
        ...every(synth, 'AWS::CodeDeploy::Application', { ComputePlatform: 'Lambda' }),
        ...every(synth, 'AWS::CodeDeploy::DeploymentGroup', {
          // False, not omitted: CloudFormation would keep the group's earlier alarms.
          AlarmConfiguration: canaryMinutes
            ? { Alarms: [{ Name: '{Faults}' }, { Name: '{FunctionErrors}' }], Enabled: true }
            : { Enabled: false },
          ApplicationName: '{DeploymentApplication}',
          AutoRollbackConfiguration: {
            Enabled: true,
            Events: [
              'DEPLOYMENT_FAILURE',
              'DEPLOYMENT_STOP_ON_REQUEST',
              ...(canaryMinutes ? ['DEPLOYMENT_STOP_ON_ALARM'] : []),
            ],
          },
          DeploymentConfigName: `CodeDeployDefault.Lambda${way}`,
          DeploymentStyle: { DeploymentOption: 'WITH_TRAFFIC_CONTROL', DeploymentType: 'BLUE_GREEN' },
          ServiceRoleArn: '{DeploymentServiceRole.Arn}',
        }),
      ];
    },
  },
];
