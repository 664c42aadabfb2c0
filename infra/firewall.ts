import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import type { Api } from './api.ts';
import type { Stage } from './stages.ts';

/**
 * Blocks an address that sends too many requests, if the stage asks for it: the throttle of the stage is shared by all
 * clients, and a stranger without a token could use it up. The gateway answers what is blocked with WAF_FILTERED.
 */
export function addFirewall(scope: Construct, stage: Stage, { rest }: Api): void {
  if (stage.firewall === undefined) return;
  const visibility = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
    cloudWatchMetricsEnabled: true,
    // Sampled requests hold headers, Authorization among them.
    sampledRequestsEnabled: false,
    metricName: `PlantStore-${stage.name}-${metricName}`,
  });
  const firewall = new CfnWebACL(scope, 'Firewall', {
    scope: 'REGIONAL',
    description: `Plant Store ${stage.name}: requests per address`,
    defaultAction: { allow: {} },
    visibilityConfig: visibility('Firewall'),
    rules: [
      {
        name: 'RequestsPerAddress',
        priority: 0,
        action: { block: {} },
        statement: {
          rateBasedStatement: {
            aggregateKeyType: 'IP',
            limit: stage.firewall.requests,
            evaluationWindowSec: 300,
          },
        },
        visibilityConfig: visibility('RequestsPerAddress'),
      },
    ],
  });
  new CfnWebACLAssociation(scope, 'FirewallAssociation', {
    resourceArn: rest.deploymentStage.stageArn,
    webAclArn: firewall.attrArn,
  });
}
