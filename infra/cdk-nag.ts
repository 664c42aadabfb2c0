import { type App, Validations } from 'aws-cdk-lib';
import type { Method, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { Stage } from './stage-settings.ts';

/**
 * Checks every synth with cdk-nag's AwsSolutions rules; a finding fails the synth. A construct that does not follow a
 * rule acknowledges it with a reason. cdk.json switches on the CDK's own default rules.
 */
export function checkWithNag(app: App): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}

/** Acknowledges the rules that the gateway does not follow, each with its reason. */
export function acknowledgeApi(rest: RestApi, methods: readonly Method[], stage: Stage): void {
  Validations.of(rest).acknowledge({
    id: 'AwsSolutions-APIG2',
    reason:
      'The function validates. The gateway would read the id as a double, and so accept an integer outside int64; ' +
      'its answer could not name the invalid property.',
  });
  for (const method of methods) {
    Validations.of(method).acknowledge(
      {
        id: 'AwsSolutions-APIG4',
        reason:
          'The function checks the access token of every POST /plants first (docs/decisions/0005): an authorizer ' +
          'would be a second function, with its own cold starts, for one look-up. Every other request gets 40401.',
      },
      {
        id: 'AwsSolutions-COG4',
        reason:
          'Access tokens are opaque and issued by the operator (docs/decisions/0003); there is no user pool.',
      },
    );
  }
  Validations.of(rest.node.findChild('CloudWatchRole')).acknowledge({
    id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    reason:
      "API Gateway requires this policy for the account's role with which it writes logs; it cannot be narrower, " +
      'because all APIs of the account use that role.',
  });
  Validations.of(rest.deploymentStage).acknowledge({
    id: 'AwsSolutions-APIG6',
    reason:
      'Execution logs would write request headers to a log group without a retention, outside the template; the ' +
      "access log and the function's log line are enough.",
  });
  if (stage.firewall === undefined) {
    Validations.of(rest.deploymentStage).acknowledge({
      id: 'AwsSolutions-APIG3',
      reason:
        'A firewall costs about 6 dollars a month before the first request, so the stage file switches it on; ' +
        'without it the throttle of the stage limits the cost that a stranger can cause.',
    });
  }
}
