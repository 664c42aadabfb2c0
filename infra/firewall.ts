import { Aws, Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
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
    metricName,
  });
  const { requests: limit } = stage.firewall;
  const firewall = new CfnWebACL(scope, 'Firewall', {
    scope: 'REGIONAL',
    description: `Plant Store ${stage.name}: requests per address`,
    defaultAction: { allow: {} },
    visibilityConfig: visibilityConfig(metricNameOf(stage)),
    rules: [
      {
        name: 'RequestsPerAddress',
        priority: 0,
        action: { block: {} },
        statement: { rateBasedStatement: { aggregateKeyType: 'IP', limit, evaluationWindowSec: 300 } },
        visibilityConfig: visibilityConfig(`${stackName(stage.name)}-RequestsPerAddress`),
      },
    ],
  });
  new CfnWebACLAssociation(scope, 'FirewallAssociation', {
    resourceArn: rest.deploymentStage.stageArn,
    webAclArn: firewall.attrArn,
  });
}

/** The requests that it blocked (AWS WAF Developer Guide, "AWS WAF metrics and dimensions"). */
export function blockedRequests(stage: Stage): Metric {
  return new Metric({
    namespace: 'AWS/WAFV2',
    metricName: 'BlockedRequests',
    dimensionsMap: { WebACL: metricNameOf(stage), Region: Aws.REGION, Rule: 'ALL' },
    statistic: Stats.SUM,
    period: Duration.minutes(5),
  });
}

function metricNameOf({ name }: Stage): string {
  return `${stackName(name)}-Firewall`;
}
