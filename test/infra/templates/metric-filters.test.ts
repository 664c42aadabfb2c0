import { expect, test } from 'vitest';
import { PROTECTED } from '../../support/test-stages.ts';
import { metricsOf } from '../filter-pattern.ts';
import { copyOf, only, propertiesOf } from '../synth.ts';

const synth = copyOf(PROTECTED);

// What the function itself logs is in asset.test.ts.
test.each<[line: object, metrics: string[]]>([
  // A missing field matches no comparison, not even "!=".
  [{ message: { outcome: 'failed' } }, ['Responses']],
  // Lambda's own lines about a crash or a timeout: these requests count as not completed.
  [{ level: 'ERROR', requestId: 'r', message: { errorType: 'Error', errorMessage: 'x' } }, []],
  [{ time: 't', type: 'platform.report', record: { status: 'timeout', error: 50401 } }, []],
])('the line %j of the function counts in %j', (line, metrics) => {
  expect(metricsOf(synth, 'FunctionLogs', JSON.stringify(line))).toEqual(metrics);
});

test('responses of the gateway itself count as errors or as throttled, those of the function as neither', () => {
  const { Format } = only(synth, 'AWS::ApiGateway::Stage').Properties.AccessLogSetting;
  /** In what a line counts, as the gateway writes it: each variable replaced by its value, or by a dash without one. */
  const counted = (type: string) => {
    const line = Format.replaceAll('$context.error.responseType', type).replaceAll(/\$context\.[\w.]+/g, '-');
    return [type, metricsOf(synth, 'AccessLogs', line)];
  };
  const responses = Object.values(propertiesOf(synth, 'AWS::ApiGateway::GatewayResponse'));
  const types = responses.map(({ ResponseType }) => ResponseType);
  const none = Object.fromEntries([...types, '-'].map((type) => [type, []]));
  expect(Object.fromEntries([...types, '-'].map(counted))).toEqual({
    ...none,
    API_CONFIGURATION_ERROR: ['Faults'],
    DEFAULT_5XX: ['GatewayErrors'],
    INTEGRATION_FAILURE: ['GatewayErrors'],
    INTEGRATION_TIMEOUT: ['GatewayErrors'],
    // The gateway's throttle and the table's give clients the same error.
    QUOTA_EXCEEDED: ['Throttled'],
    THROTTLED: ['Throttled'],
  });
});

test('each filter counts lines in a metric of the stage, which is 0 without any', () => {
  const counted = { DefaultValue: 0, MetricName: expect.any(String), MetricValue: '1' };
  const filters = Object.values(propertiesOf(synth, 'AWS::Logs::MetricFilter'));
  for (const filter of filters.filter(({ LogGroupName }) => /^\{(Function|Access)Logs\}$/.test(LogGroupName)))
    expect(filter.MetricTransformations).toEqual([{ ...counted, MetricNamespace: 'PlantStore/production' }]);
});
