import { TLS } from './api.ts';
import { apiStageOf, arn, every, type Policy } from './policy.ts';

/** Of what only some stages have: a domain, a firewall, a canary. */
export const optionPolicies: Policy[] = [
  {
    says: 'a domain maps to the stage, requires TLS 1.2, and has a DNS record if its zone is known',
    violations: (synth) => {
      const { domain } = synth.stage;
      if (domain === undefined) return [];
      return [
        ...every(synth, 'AWS::ApiGateway::DomainName', {
          DomainName: domain.name,
          EndpointConfiguration: { Types: ['REGIONAL'] },
          RegionalCertificateArn: domain.certificateArn,
          ...TLS,
        }),
        // Without a base path.
        ...every(synth, 'AWS::ApiGateway::BasePathMapping', {
          DomainName: '{ApiDomain}',
          RestApiId: '{Api}',
          Stage: apiStageOf(synth.stage),
        }),
        ...(domain.zone
          ? every(synth, 'AWS::Route53::RecordSet', {
              AliasTarget: {
                DNSName: '{ApiDomain.RegionalDomainName}',
                HostedZoneId: '{ApiDomain.RegionalHostedZoneId}',
              },
              HostedZoneId: domain.zone.id,
              Name: `${domain.name}.`,
              Type: 'A',
            })
          : []),
      ];
    },
  },
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
