import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../../contract/openapi.ts';
import { EVERYTHING, PRIVATE, PROTECTED } from '../../support/test-stages.ts';
import { copyOf, plain, propertiesOf, type Synth } from '../synth.ts';

const synth = copyOf(PROTECTED);
const everything = copyOf(EVERYTHING);
/** TLS 1.2 and 1.3, for any client that supports these. */
const TLS = { SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PQ_2025_09', EndpointAccessMode: 'BASIC' };
const REGIONAL = { EndpointConfiguration: { Types: ['REGIONAL'] } };
const stageOf = (each: Synth) => Object.values(propertiesOf(each, 'AWS::ApiGateway::Stage'))[0];

test('the gateway is a Regional REST API for everybody that forwards bodies unchanged, and requires TLS 1.2', () => {
  // Without a policy, and with an enabled endpoint: otherwise it would return 403.
  const api = { BinaryMediaTypes: ['*/*'], Name: 'PlantStore-production', ...REGIONAL, ...TLS };
  expect(propertiesOf(synth, 'AWS::ApiGateway::RestApi')).toEqual({ Api: api });
});

test('a private one lets in what comes through the endpoints of the stage, and its base URL needs no private DNS', () => {
  const synth = copyOf(PRIVATE);
  const { Api } = propertiesOf(synth, 'AWS::ApiGateway::RestApi');
  expect(Api).toMatchObject({
    EndpointConfiguration: { Types: ['PRIVATE'], VpcEndpointIds: PRIVATE.vpcEndpoints },
    Policy: {
      Statement: [
        {
          Action: 'execute-api:Invoke',
          Condition: { StringEquals: { 'aws:SourceVpce': PRIVATE.vpcEndpoints } },
          Effect: 'Allow',
          Principal: { AWS: '*' },
          Resource: 'execute-api:/*',
        },
      ],
    },
    // Without private DNS, only BASIC (API Gateway Developer Guide, "Invoke a private API").
    ...TLS,
  });
  expect(plain(synth.template.Outputs.BaseUrl.Value)).toBe(
    'https://{Api}-vpce-0123456789abcdef0.execute-api.{AWS::Region}.{AWS::URLSuffix}/private',
  );
});

test('it forwards every operation, and any other method and path, to the alias, without conditions', () => {
  const resources = propertiesOf(synth, 'AWS::ApiGateway::Resource');
  /** The path of a resource, from its parent's. */
  const pathOf = (reference: string): string => {
    if (reference === '{Api.RootResourceId}') return '/';
    const { ParentId, PathPart } = resources[reference.slice(1, -1)];
    return path.posix.join(pathOf(ParentId), PathPart);
  };
  const paths = ['/', ...Object.keys(resources).map((id) => pathOf(`{${id}}`))];
  const uri =
    'arn:{AWS::Partition}:apigateway:{AWS::Region}:lambda:path/2015-03-31/functions/{Live}/invocations';
  // With an authorizer, an API key or a validator, the gateway would respond instead of the function.
  const passedOn = {
    AuthorizationType: 'NONE',
    Integration: { IntegrationHttpMethod: 'POST', TimeoutInMillis: 29_000, Type: 'AWS_PROXY', Uri: uri },
    RestApiId: '{Api}',
  };
  const methods = Object.values(propertiesOf(synth, 'AWS::ApiGateway::Method'));
  const routes = methods.map(({ HttpMethod, ResourceId, ...others }) => {
    expect(others).toEqual(passedOn);
    return `${HttpMethod} ${pathOf(ResourceId)}`;
  });
  expect(paths).toContain('/{proxy+}');
  const operations = OPERATIONS.map(({ method, path }) => `${method} ${path}`);
  expect(routes.sort()).toEqual([...operations, ...paths.map((each) => `ANY ${each}`)].sort());
});

// The guard knows by these names whether the role that a Region has is of this service.
test('the role for the access logs has the logical ids and the tags by which the guard finds it', () => {
  const { tags } = synth.stack;
  expect(tags).toMatchObject({ service: 'plant-store', stage: 'production' });
  expect(propertiesOf(synth, 'AWS::ApiGateway::Account')).toEqual({
    ApiAccount: { CloudWatchRoleArn: '{ApiCloudWatchRole.Arn}' },
  });
});

test('its stage has the throttle of the settings, an access log, and no execution log', () => {
  expect(stageOf(synth)).toMatchObject({
    AccessLogSetting: { DestinationArn: expect.stringMatching(/:log-group:\{AccessLogs\}$/) },
    MethodSettings: [
      {
        DataTraceEnabled: false,
        HttpMethod: '*',
        LoggingLevel: 'OFF',
        ResourcePath: '/*',
        ThrottlingBurstLimit: 1_000,
        ThrottlingRateLimit: 500,
      },
    ],
    StageName: 'production',
  });
});

test('its access log has these fields, none of which is secret', () => {
  expect(JSON.parse(stageOf(synth).AccessLogSetting.Format)).toEqual({
    requestId: '$context.requestId',
    extendedRequestId: '$context.extendedRequestId',
    time: '$context.requestTimeEpoch',
    address: '$context.identity.sourceIp',
    method: '$context.httpMethod',
    resource: '$context.resourcePath',
    status: '$context.status',
    responseType: '$context.error.responseType',
    integrationStatus: '$context.integration.integrationStatus',
    functionStatus: '$context.integration.status',
    latency: '$context.responseLatency',
    functionLatency: '$context.integration.latency',
    responseLength: '$context.responseLength',
    trace: '$context.xrayTraceId',
  });
});

describe('a domain', () => {
  test('has a certificate, requires TLS 1.2, and leads to the stage', () => {
    expect(propertiesOf(everything, 'AWS::ApiGateway::DomainName')).toEqual({
      ApiDomain: {
        DomainName: 'plants.example.com',
        RegionalCertificateArn: EVERYTHING.domain.certificateArn,
        ...REGIONAL,
        ...TLS,
      },
    });
    // Without a base path.
    expect(Object.values(propertiesOf(everything, 'AWS::ApiGateway::BasePathMapping'))).toEqual([
      { DomainName: '{ApiDomain}', RestApiId: '{Api}', Stage: '{ApiDeploymentStageeverything}' },
    ]);
  });

  test('has a DNS record in its zone, or an output for whoever makes the record', () => {
    const target = 'ApiDomain.RegionalDomainName';
    expect(propertiesOf(everything, 'AWS::Route53::RecordSet').DomainRecord).toMatchObject({
      AliasTarget: { DNSName: `{${target}}`, HostedZoneId: '{ApiDomain.RegionalHostedZoneId}' },
      HostedZoneId: 'Z0123456789',
      Name: 'plants.example.com.',
      Type: 'A',
    });
    expect(JSON.stringify(everything.template.Outputs)).not.toContain('ApiDomain');
    expect(outputsOf(everything).BaseUrl).toBe('https://plants.example.com');
    const elsewhere = copyOf({ ...PROTECTED, domain: { ...EVERYTHING.domain, zone: undefined } });
    expect(propertiesOf(elsewhere, 'AWS::Route53::RecordSet')).toEqual({});
    // Whoever makes an alias in Route 53 needs both.
    expect(outputsOf(elsewhere)).toMatchObject({
      DomainTarget: `{${target}}`,
      DomainTargetZone: '{ApiDomain.RegionalHostedZoneId}',
    });
  });
});

test('a firewall blocks an address after so many requests in five minutes, and keeps no samples', () => {
  // Sampled requests contain the Authorization header.
  const visible = { SampledRequestsEnabled: false };
  const rate = { AggregateKeyType: 'IP', EvaluationWindowSec: 300, Limit: 500 };
  expect(propertiesOf(everything, 'AWS::WAFv2::WebACL').Firewall).toMatchObject({
    DefaultAction: { Allow: {} },
    Rules: [{ Action: { Block: {} }, Statement: { RateBasedStatement: rate }, VisibilityConfig: visible }],
    Scope: 'REGIONAL',
    VisibilityConfig: {
      ...visible,
      CloudWatchMetricsEnabled: true,
      MetricName: 'PlantStore-everything-Firewall',
    },
  });
  expect(propertiesOf(everything, 'AWS::WAFv2::WebACLAssociation').FirewallAssociation).toEqual({
    ResourceArn: 'arn:aws:apigateway:eu-west-1::/restapis/{Api}/stages/{ApiDeploymentStageeverything}',
    WebACLArn: '{Firewall.Arn}',
  });
  expect(propertiesOf(synth, 'AWS::WAFv2::WebACL')).toEqual({});
});

const outputsOf = ({ template }: Synth) =>
  Object.fromEntries(Object.entries(template.Outputs).map(([id, { Value }]) => [id, plain(Value)]));

// The tools find the parts of a deployed stage by the tables, and its neighbours by the others.
test('the outputs are the base URL, the tables, the command for the first token, the API and the topic', () => {
  expect(outputsOf(synth)).toEqual({
    // Without a trailing slash.
    BaseUrl: 'https://{Api}.execute-api.{AWS::Region}.{AWS::URLSuffix}/production',
    PlantsTable: '{Plants}',
    AccessTokensTable: '{AccessTokens}',
    FirstTokenCommand: 'npm run token -- issue first --stage production',
    ApiId: '{Api}',
    ApiStage: '{ApiDeploymentStageproduction}',
    AlarmTopicArn: '{AlarmTopic}',
  });
});
