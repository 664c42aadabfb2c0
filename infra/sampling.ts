import { CfnSamplingRule } from 'aws-cdk-lib/aws-xray';
import type { Construct } from 'constructs';
import { stackName } from './names.ts';
import type { Stage } from './stage-settings.ts';

/** Five percent of the requests are traced: 25 cents per million (docs/scaling.md). */
const SHARE = 0.05;

/**
 * Makes the rule that says which requests are traced. X-Ray's default rule always traces the first request of each second,
 * which costs 5 dollars per million where there is only one. The gateway decides, by the rule for its own stage, and Lambda
 * follows (X-Ray Developer Guide, "Configuring sampling rules"; API Gateway Developer Guide, "Configure AWS X-Ray sampling
 * rules for API Gateway APIs").
 */
export function makeSampling(scope: Construct, stage: Stage): void {
  const name = stackName(stage.name);
  new CfnSamplingRule(scope, 'Sampling', {
    samplingRule: {
      ruleName: name,
      // Rules are tried in this order; no other rule of ours matches this stage.
      priority: 1_000,
      reservoirSize: 0,
      fixedRate: SHARE,
      serviceName: `${name}/${stage.name}`,
      serviceType: 'AWS::ApiGateway::Stage',
      host: '*',
      httpMethod: '*',
      urlPath: '*',
      resourceArn: '*',
      version: 1,
    },
  });
}
