import { readFileSync } from 'node:fs';
import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { describe, expect, test } from 'vitest';
import type { PlantStoreStack } from '../../infra/plant-store-stack.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { canaryPolicies } from './policies/canary.ts';
import {
  copyOf,
  EVERYTHING,
  only,
  PROTECTED,
  resources,
  synth,
  TESTED_STAGES,
  textOf,
  UNPROTECTED,
} from './synth.ts';

const everything = copyOf(EVERYTHING);

describe('the options of a stage', () => {
  test.each([UNPROTECTED, PROTECTED])('all are off by default: $name', (stage) => {
    const types = Object.values(copyOf(stage).template.Resources).map(({ Type }) => Type);
    expect(types.filter((type) => /WAF|Route53|DomainName|Subscription/.test(type))).toEqual([]);
  });

  test('a firewall blocks an address after a given number of requests in five minutes, and keeps no samples', () => {
    const { DefaultAction, Rules, VisibilityConfig } = only(everything, 'AWS::WAFv2::WebACL').Properties;
    expect({ DefaultAction, Rules, VisibilityConfig }).toMatchObject({
      DefaultAction: { Allow: {} },
      Rules: [
        {
          Action: { Block: {} },
          Statement: { RateBasedStatement: { AggregateKeyType: 'IP', Limit: 500, EvaluationWindowSec: 300 } },
          VisibilityConfig: { SampledRequestsEnabled: false },
        },
      ],
      VisibilityConfig: { SampledRequestsEnabled: false },
    });
    const { ResourceArn } = only(everything, 'AWS::WAFv2::WebACLAssociation').Properties;
    const [[stage] = []] = resources(everything, 'AWS::ApiGateway::Stage');
    expect(textOf(ResourceArn)).toMatch(`/{ApiF70053CD}/stages/{${stage}}`);
  });

  test('a domain maps to the stage, and requires TLS 1.2', () => {
    expect(only(everything, 'AWS::ApiGateway::DomainName').Properties).toMatchObject({
      DomainName: 'plants.example.com',
      RegionalCertificateArn: EVERYTHING.domain.certificateArn,
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PQ_2025_09',
      EndpointAccessMode: 'BASIC',
    });
    expect(only(everything, 'AWS::ApiGateway::BasePathMapping').Properties.BasePath).toBeUndefined();
    expect(only(everything, 'AWS::Route53::RecordSet').Properties.Name).toBe('plants.example.com.');
  });

  test('without a hosted zone, an output has the target for the DNS record of the domain', () => {
    const { template } = synth({ ...UNPROTECTED, domain: { ...EVERYTHING.domain, zone: undefined } });
    expect(template.Outputs).toHaveProperty('DomainTarget');
  });

  test('without a canary, a new version gets all traffic at once, even while an alarm is firing', () => {
    const off = synth({ ...PROTECTED, canaryMinutes: undefined });
    expect(canaryPolicies.flatMap(({ violations }) => violations(off))).toEqual([]);
  });

  test('a borrowed table replaces that of the stage for the function and its permissions', () => {
    const { template } = synth({ ...PROTECTED, borrowedTables: { plants: 'Plants-restored' } });
    const text = JSON.stringify(template);
    expect(text).not.toContain('PlantsF7D2F15D');
    expect(text).toContain('"PLANTS_TABLE":"Plants-restored"');
    expect(text).toContain(':table/Plants-restored"');
    expect(template.Outputs.PlantsTable.Value).toBe('Plants-restored');
    expect(template.Resources).toHaveProperty('AccessTokensB65260D5');
  });

  test.each<[boolean, Stage]>([
    [true, PROTECTED],
    [false, { ...PROTECTED, alarmEmail: 'operators@example.com' }],
    [false, UNPROTECTED],
  ])('only a protected stage without an alarm e-mail gets a warning: %s', (expected, stage) => {
    const found: unknown[] = [];
    synth(stage, ({ node }) => found.push(...node.metadata.filter(({ type }) => type === 'aws:cdk:warning')));
    const warning = { data: expect.stringMatching(/^Alarms of production notify nobody: set alarmEmail/) };
    expect(found).toEqual(expected ? [expect.objectContaining(warning)] : []);
  });
});

// Minimum values, because operators may change those in the stage file.
test.each(Object.values(TESTED_STAGES))(
  '$name has enough throughput and log retention and, if it is protected, a canary',
  (stage) => {
    const { isProtected, throttle, logDays, canaryMinutes } = stage;
    expect(throttle.rate).toBeGreaterThanOrEqual(isProtected ? 100 : 10);
    expect(logDays).toBeGreaterThanOrEqual(isProtected ? 30 : 7);
    expect(isProtected && canaryMinutes === undefined).toBe(false);
  },
);

test('a new method or a changed gateway answer creates a new deployment of the API', () => {
  const deployment = (change?: (api: RestApi) => void) => {
    const changed = synth(UNPROTECTED, (stack: PlantStoreStack) =>
      change?.(stack.node.findChild('Api') as RestApi),
    );
    return resources(changed, 'AWS::ApiGateway::Deployment').map(([id]) => id);
  };
  const ids = [
    deployment(),
    deployment((api) =>
      api.addGatewayResponse('Another', { type: ResponseType.UNAUTHORIZED, statusCode: '400' }),
    ),
    deployment((api) => api.root.addResource('other').addMethod('GET')),
  ];
  expect(new Set(ids.flat()).size).toBe(3);
});

test('the logical ids in the runbook are in the template', () => {
  const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');
  const ids = [...new Set(runbook.match(/\b[A-Z][A-Za-z]+[0-9A-F]{8}\b/g))];
  expect(ids.length).toBeGreaterThanOrEqual(2);
  expect(Object.keys(copyOf(PROTECTED).template.Resources)).toEqual(expect.arrayContaining(ids));
});
