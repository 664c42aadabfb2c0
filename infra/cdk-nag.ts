import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';

/** Checks every synth with cdk-nag's AwsSolutions rules; a finding fails it. cdk.json switches on the CDK's own rules. */
export function checkWithNag(app: App): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}

/**
 * Accepts that a construct does not follow rules of cdk-nag.
 * @param reasons one for each rule, by the rule's id without its prefix, such as `APIG2`, or `IAM4[Policy::…]`
 */
export function acknowledge(construct: IConstruct, reasons: Readonly<Record<string, string>>): void {
  for (const [rule, reason] of Object.entries(reasons))
    Validations.of(construct).acknowledge({ id: `AwsSolutions-${rule}`, reason });
}

/** The findings that every stage accepts, and why. */
export const ACCEPTED_FINDINGS = {
  APIG2: 'The function validates: the gateway reads an id as a double and accepts one outside int64.',
  // About 6 dollars a month before the first request.
  APIG3: 'The stage file switches the firewall on; without it, the throttle limits the cost.',
  // An authorizer would be a second function with cold starts of its own, and the gateway would cache its result.
  APIG4: 'The function itself checks the access token; a request for no operation gets 40401.',
  APIG6: 'Execution logs contain request headers, in a log group that never expires.',
  COG4: 'Our access tokens are opaque (docs/decisions.md, 3); there is no user pool.',
  'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
    "API Gateway requires this policy for the account's role, which all APIs of the account use.",
  'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]':
    'AWS maintains this policy for CodeDeploy; a copy would break when CodeDeploy needs another action.',
};
