import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import type { Api } from './api.ts';
import { stackName } from './stack-names.ts';
import type { Stage } from './stage-settings.ts';

/**
 * Blocks addresses that send too many requests, if the stage has a firewall. All clients share the throttle of the
 * stage, and a stranger without a token could use it up. The gateway responds to blocked requests with WAF_FILTERED.
 */
export function addFirewall(scope: Construct, stage: Stage, { rest }: Api): void {
  if (stage.firewall === undefined) return;
  const visibilityConfig = (metricName: string) => ({
    cloudWatchMetricsEnabled: true,
    // Sampled requests contain headers, including Authorization.
    sampledRequestsEnabled: false,
    metricName: `${stackName(stage.name)}-${metricName}`,
  });
  const { requests: limit } = stage.firewall;
  const firewall = new CfnWebACL(scope, 'Firewall', {
    scope: 'REGIONAL',
    description: `Plant Store ${stage.name}: requests per address`,
    defaultAction: { allow: {} },
    visibilityConfig: visibilityConfig('Firewall'),
    rules: [
      {
        name: 'RequestsPerAddress',
        priority: 0,
        action: { block: {} },
        statement: { rateBasedStatement: { aggregateKeyType: 'IP', limit, evaluationWindowSec: 300 } },
        visibilityConfig: visibilityConfig('RequestsPerAddress'),
      },
    ],
  });
  new CfnWebACLAssociation(scope, 'FirewallAssociation', {
    resourceArn: rest.deploymentStage.stageArn,
    webAclArn: firewall.attrArn,
  });
}
