import { readFileSync } from 'node:fs';
import { Validations } from 'aws-cdk-lib';
import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { describe, expect, test } from 'vitest';
import type { PlantStoreStack } from '../../infra/plant-store-stack.ts';
import { canaryPolicies } from './policies/canary.ts';
import { copyOf, EVERYTHING, only, PROTECTED, resources, synth, UNPROTECTED } from './synth.ts';

const everything = copyOf(EVERYTHING);

describe('the options of a stage', () => {
  test('all are off by default', () => {
    for (const { template } of [copyOf(UNPROTECTED), copyOf(PROTECTED)]) {
      const types = Object.values(template.Resources).map(({ Type }) => Type);
      expect(types.filter((type) => /WAF|Route53|DomainName|Subscription/.test(type))).toEqual([]);
    }
  });

  test('a firewall blocks an address after a given number of requests in five minutes, and keeps no samples', () => {
    const { DefaultAction, Rules, VisibilityConfig } = only(everything, 'AWS::WAFv2::WebACL').Properties;
    expect([DefaultAction, Rules.length, VisibilityConfig.SampledRequestsEnabled]).toEqual([
      { Allow: {} },
      1,
      false,
    ]);
    expect(Rules[0]).toMatchObject({
      Action: { Block: {} },
      Statement: { RateBasedStatement: { AggregateKeyType: 'IP', Limit: 500, EvaluationWindowSec: 300 } },
      VisibilityConfig: { SampledRequestsEnabled: false },
    });
    const { ResourceArn } = only(everything, 'AWS::WAFv2::WebACLAssociation').Properties;
    const [[stage] = []] = resources(everything, 'AWS::ApiGateway::Stage');
    expect(JSON.stringify(ResourceArn)).toContain(stage);
  });

  test('a domain maps to the stage, requires TLS 1.2, and is the base URL', () => {
    expect(only(everything, 'AWS::ApiGateway::DomainName').Properties).toMatchObject({
      DomainName: 'plants.example.com',
      RegionalCertificateArn:
        'arn:aws:acm:eu-west-1:111122223333:certificate/11112222-3333-4444-5555-666677778888',
      SecurityPolicy: 'TLS_1_2',
    });
    expect(only(everything, 'AWS::ApiGateway::BasePathMapping').Properties.BasePath).toBeUndefined();
    expect(only(everything, 'AWS::Route53::RecordSet').Properties.Name).toBe('plants.example.com.');
    expect(everything.template.Outputs.BaseUrl.Value).toBe('https://plants.example.com');
  });

  test('without a hosted zone, an output has the target for the DNS record of the domain', () => {
    const domain = { ...EVERYTHING.domain, zone: undefined } as never;
    const { template } = synth({ ...UNPROTECTED, domain });
    expect(Object.keys(template.Outputs)).toContain('DomainTarget');
  });
});

test('without a canary, a new version gets all traffic at once, even while an alarm is firing', () => {
  const { canaryMinutes: _, ...stage } = PROTECTED;
  const off = synth(stage);
  expect(canaryPolicies.flatMap(({ violations }) => violations(off))).toEqual([]);
});

test('a borrowed table replaces the own table for the function and its permissions', () => {
  const { template } = synth({ ...PROTECTED, borrowedTables: { plants: 'Plants-restored' } });
  const text = JSON.stringify(template);
  expect(text).not.toContain('PlantsF7D2F15D');
  expect(text).toContain('"PLANTS_TABLE":"Plants-restored"');
  expect(text).toContain(':table/Plants-restored"');
  expect(template.Outputs.PlantsTable.Value).toBe('Plants-restored');
  expect(Object.keys(template.Resources)).toContain('AccessTokensB65260D5');
});

test('a new method or a changed gateway answer creates a new deployment of the API', () => {
  const deployment = (change?: Parameters<typeof synth>[1]) =>
    resources(synth(UNPROTECTED, change), 'AWS::ApiGateway::Deployment').map(([id]) => id);
  const api = (stack: PlantStoreStack) => stack.node.findChild('Api') as RestApi;
  const ids = [
    deployment(),
    deployment((stack) => {
      api(stack).addGatewayResponse('Another', { type: ResponseType.UNAUTHORIZED, statusCode: '400' });
    }),
    deployment((stack) => {
      const unlisted = api(stack).root.addResource('other').addMethod('GET');
      for (const id of ['AwsSolutions-APIG4', 'AwsSolutions-COG4'])
        Validations.of(unlisted).acknowledge({ id, reason: 'only here' });
    }),
  ];
  expect(new Set(ids.flat()).size).toBe(3);
});

test('the logical ids in the runbook are in the template', () => {
  const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');
  const ids = [...new Set(runbook.match(/\b[A-Z][A-Za-z]+[0-9A-F]{8}\b/g))];
  expect(ids.length).toBeGreaterThanOrEqual(3);
  expect(Object.keys(copyOf(PROTECTED).template.Resources)).toEqual(expect.arrayContaining(ids));
});
