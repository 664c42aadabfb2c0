import { TLS } from './api.ts';
import { apiStageOf, every, type Policy } from './policy.ts';

export const domainPolicies: Policy[] = [
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
];
