import * as codedeploy from 'aws-cdk-lib/aws-codedeploy';
import type { Alias, CfnAlias } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Alarms } from './alarms.ts';
import type { Stage } from './stage-settings.ts';

/**
 * Makes CodeDeploy move the alias to a new version: a tenth of the traffic first, with a rollback if an alarm fires.
 * Only alarms on the service's own faults are used: what strangers can cause must not block or undo a deployment. A put
 * without a readable response counts as such a fault, because a new version can cause it. Without a canary no alarm is
 * used, so that a fix can be deployed while one is firing.
 */
export function deployByCanary(scope: Construct, stage: Stage, alias: Alias, alarms: Alarms): void {
  const { canaryMinutes } = stage;
  const way = canaryMinutes ? `Canary10Percent${canaryMinutes}Minutes` : 'AllAtOnce';
  new codedeploy.LambdaDeploymentGroup(scope, 'Deployment', {
    alias,
    deploymentConfig: codedeploy.LambdaDeploymentConfig.fromLambdaDeploymentConfigName(
      scope,
      'Way',
      `CodeDeployDefault.Lambda${way}`,
    ),
    alarms: canaryMinutes ? [alarms.Faults, alarms.Unanswered, alarms.FunctionErrors] : [],
    autoRollback: {
      failedDeployment: true,
      stoppedDeployment: true,
      deploymentInAlarm: canaryMinutes !== undefined,
    },
  });
}

/**
 * Makes CloudFormation move the alias to a new version itself, at once. CodeDeploy refuses an alias that is not at the version
 * that it expects, as after a move by hand (github.com/aws/serverless-application-model, issue 291). What CodeDeploy
 * needs remains, for the next deployment.
 */
export function deployWithoutCodeDeploy({ node }: Alias): void {
  (node.defaultChild as CfnAlias).cfnOptions.updatePolicy = undefined;
}
