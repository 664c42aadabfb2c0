import { apiStageOf, arn, every, type Policy } from './policy.ts';

export const firewallPolicies: Policy[] = [
  {
    says: 'a firewall blocks an address after a given number of requests in five minutes, and keeps no samples',
    violations: (synth) => {
      const { name, firewall } = synth.stage;
      if (firewall === undefined) return [];
      // Sampled requests contain the Authorization header.
      const visible = (metric: string) => ({
        CloudWatchMetricsEnabled: true,
        MetricName: `PlantStore-${name}-${metric}`,
        SampledRequestsEnabled: false,
      });
      const stage = apiStageOf(synth.stage);
      return [
        ...every(synth, 'AWS::WAFv2::WebACL', {
          DefaultAction: { Allow: {} },
          Rules: [
            {
              Action: { Block: {} },
              Name: 'RequestsPerAddress',
              Priority: 0,
              Statement: {
                RateBasedStatement: {
                  AggregateKeyType: 'IP',
                  EvaluationWindowSec: 300,
                  Limit: firewall.requests,
                },
              },
              VisibilityConfig: visible('RequestsPerAddress'),
            },
          ],
          // A firewall for CloudFront cannot protect an API, and exists in us-east-1 only.
          Scope: 'REGIONAL',
          VisibilityConfig: visible('Firewall'),
        }),
        ...every(synth, 'AWS::WAFv2::WebACLAssociation', {
          ResourceArn: arn(synth.stage, 'apigateway', `/restapis/{Api}/stages/${stage}`, ''),
          WebACLArn: '{Firewall.Arn}',
        }),
      ];
    },
  },
];
