import { CfnOutput } from 'aws-cdk-lib';
import { EndpointType } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets';
import type { Construct } from 'constructs';
import { type Api, TLS } from './api.ts';
import type { Stage } from './stage-settings.ts';

/**
 * Adds a custom domain name to the API, if the stage has one. The gateway's own name keeps working: if that
 * were disabled, its response would be a 403 that cannot be customized.
 */
export function addDomain(scope: Construct, stage: Stage, { rest }: Api): void {
  if (stage.domain === undefined) return;
  const { name, certificateArn, zone } = stage.domain;
  const domain = rest.addDomainName('Domain', {
    domainName: name,
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', certificateArn),
    endpointType: EndpointType.REGIONAL,
    ...TLS,
  });
  if (zone === undefined) {
    new CfnOutput(scope, 'DomainTarget', {
      description: `Point the DNS name ${name} at this`,
      value: domain.domainNameAliasDomainName,
    });
    new CfnOutput(scope, 'DomainTargetZone', {
      description: 'The hosted zone of DomainTarget, for an alias in Route 53',
      value: domain.domainNameAliasHostedZoneId,
    });
    return;
  }
  new ARecord(scope, 'DomainRecord', {
    recordName: `${name}.`,
    target: RecordTarget.fromAlias(new ApiGatewayDomain(domain)),
    zone: HostedZone.fromHostedZoneAttributes(scope, 'Zone', { hostedZoneId: zone.id, zoneName: zone.name }),
  });
}
