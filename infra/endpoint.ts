import { Aws } from 'aws-cdk-lib';
import { EndpointType, type RestApi, type RestApiProps } from 'aws-cdk-lib/aws-apigateway';
import { InterfaceVpcEndpoint } from 'aws-cdk-lib/aws-ec2';
import { AnyPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Stage } from './stage-settings.ts';

/** How the API is reached: by everybody, or only through the stage's VPC endpoints (API Gateway Developer Guide, "Private REST APIs"). */
export function endpointOf(scope: Construct, { vpcEndpoints }: Stage): Partial<RestApiProps> {
  if (vpcEndpoints === undefined) return { endpointTypes: [EndpointType.REGIONAL] };
  const endpoints = vpcEndpoints.map((vpcEndpointId) =>
    InterfaceVpcEndpoint.fromInterfaceVpcEndpointAttributes(scope, vpcEndpointId, {
      vpcEndpointId,
      port: 443,
    }),
  );
  const allowed = new PolicyStatement({
    principals: [new AnyPrincipal()],
    actions: ['execute-api:Invoke'],
    resources: ['execute-api:/*'],
    conditions: { StringEquals: { 'aws:SourceVpce': vpcEndpoints } },
  });
  return {
    endpointConfiguration: { types: [EndpointType.PRIVATE], vpcEndpoints: endpoints },
    policy: new PolicyDocument({ statements: [allowed] }),
  };
}

/**
 * The base URL for clients: the stage's own name, or the gateway's. That of a private API has its first VPC endpoint and needs no private
 * DNS (API Gateway Developer Guide, "Invoke a private API using a Route53 alias").
 */
export function baseUrlOf({ restApiId }: RestApi, { name, domain, vpcEndpoints = [] }: Stage): string {
  const id = [restApiId, ...vpcEndpoints.slice(0, 1)].join('-');
  return `https://${domain?.name ?? `${id}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}/${name}`}`;
}
