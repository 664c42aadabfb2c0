import { expect, test } from 'vitest';
import { GATEWAY_RESPONSE_TYPES } from '../../infra/gateway-answers.ts';
import { only, resources } from './deployed.ts';
import { matches } from './filter-pattern.ts';
import { deployedStage } from './stages-deployed.ts';

const prod = deployedStage('prod');
const format: string = only(prod, 'AWS::ApiGateway::Stage').Properties.AccessLogSetting.Format;

/** A line as the gateway writes it: each variable replaced by its value, or by a dash where it has none. */
function line(values: Readonly<Record<string, string>>): string {
  return format.replaceAll(/\$context\.([\w.]+)/g, (_, name) => values[name] ?? '-');
}

/** The metrics that a line of the access log adds to. */
function counted(text: string): string[] {
  return resources(prod, 'AWS::Logs::MetricFilter')
    .filter(([, { Properties }]) => Properties.LogGroupName.Ref === 'AccessLogs8B620ECA')
    .filter(([, { Properties }]) => matches(Properties.FilterPattern, text))
    .map(([, { Properties }]) => Properties.MetricTransformations[0].MetricName);
}

test('a line is JSON, with values and without', () => {
  expect(JSON.parse(line({}))).toMatchObject({ requestId: '-', responseType: '-' });
  expect(JSON.parse(line({ requestId: 'a', status: '400' }))).toMatchObject({
    requestId: 'a',
    status: '400',
  });
});

test("an answer of the function's adds to no metric of the gateway's, whatever it is", () => {
  expect(counted(line({ status: '400' }))).toEqual([]);
});

test('each answer of the gateway adds to the metric of those whom it hurts', () => {
  const found = GATEWAY_RESPONSE_TYPES.map((type) => [type, counted(line({ 'error.responseType': type }))]);
  expect(Object.fromEntries(found.filter(([, metrics]) => metrics?.length))).toEqual({
    DEFAULT_5XX: ['GatewayErrors'],
    INTEGRATION_FAILURE: ['GatewayErrors'],
    INTEGRATION_TIMEOUT: ['GatewayErrors'],
    API_CONFIGURATION_ERROR: ['GatewayErrors'],
    THROTTLED: ['Throttled'],
    QUOTA_EXCEEDED: ['Throttled'],
  });
});
