import { readFileSync } from 'node:fs';
import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { describe, expect, test } from 'vitest';
import { STAGES } from '../../infra/stages.ts';
import { deployed, only, resources } from './deployed.ts';
import { deploymentPolicies } from './policies/deployment.ts';
import { deployedStage, EVERYTHING } from './stages-deployed.ts';

const everything = deployedStage('prod with everything switched on');

describe('what a stage can switch on', () => {
  test('nothing of it is there by default', () => {
    for (const { template } of [deployedStage('dev'), deployedStage('prod')]) {
      const types = Object.values(template.Resources).map(({ Type }) => Type);
      expect(types.filter((type) => /WAF|Route53|DomainName|Subscription/.test(type))).toEqual([]);
    }
  });

  test('a firewall refuses an address after so many requests in five minutes, and keeps no samples', () => {
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

  test('a domain leads to the stage, by TLS 1.2, and is the base URL', () => {
    expect(only(everything, 'AWS::ApiGateway::DomainName').Properties).toMatchObject({
      DomainName: 'plants.example.com',
      RegionalCertificateArn: EVERYTHING.domain?.certificateArn,
      SecurityPolicy: 'TLS_1_2',
    });
    expect(only(everything, 'AWS::ApiGateway::BasePathMapping').Properties.BasePath).toBeUndefined();
    expect(only(everything, 'AWS::Route53::RecordSet').Properties.Name).toBe('plants.example.com.');
    expect(everything.template.Outputs.BaseUrl.Value).toBe('https://plants.example.com');
  });

  test('a domain without a zone tells what the name has to point at', () => {
    const domain = { ...EVERYTHING.domain, zone: undefined } as never;
    const { template } = deployed({ ...STAGES.dev, domain });
    expect(Object.keys(template.Outputs)).toContain('DomainTarget');
  });
});

test('with canary=off a new version is deployed all at once and no alarm is asked', () => {
  const { canaryMinutes: _, ...stage } = STAGES.prod;
  const off = deployed(stage);
  expect(deploymentPolicies.flatMap(({ violations }) => violations(off))).toEqual([]);
  // Said, not left out: CloudFormation would keep the alarms that the group had before.
  expect(only(off, 'AWS::CodeDeploy::DeploymentGroup').Properties.AlarmConfiguration).toMatchObject({
    Enabled: false,
  });
});

test('a borrowed table takes the place of its own: the function and its rights are for that one', () => {
  const { template } = deployed({ ...STAGES.prod, borrowedTables: { plants: 'Plants-restored' } });
  const text = JSON.stringify(template);
  expect(text).not.toContain('PlantsF7D2F15D');
  expect(text).toContain('"PLANTS_TABLE":"Plants-restored"');
  expect(text).toContain(':table/Plants-restored"');
  expect(template.Outputs.PlantsTable.Value).toBe('Plants-restored');
  expect(Object.keys(template.Resources)).toContain('AccessTokensB65260D5');
});

test('another answer of the gateway makes another deployment, or it would never be served', () => {
  const deployment = (change?: Parameters<typeof deployed>[1]) =>
    resources(deployed(STAGES.dev, change), 'AWS::ApiGateway::Deployment').map(([id]) => id);
  const changed = deployment((stack) => {
    const api = stack.node.findChild('Api') as RestApi;
    api.addGatewayResponse('Another', { type: ResponseType.UNAUTHORIZED, statusCode: '400' });
  });
  expect(changed).not.toEqual(deployment());
});

test('the logical ids that the runbook tells are those of the template', () => {
  const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');
  const ids = [...new Set(runbook.match(/\b[A-Z][A-Za-z]+[0-9A-F]{8}\b/g))];
  expect(ids.length).toBeGreaterThanOrEqual(3);
  expect(Object.keys(deployedStage('prod').template.Resources)).toEqual(expect.arrayContaining(ids));
});
