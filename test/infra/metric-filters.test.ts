import { describe, expect, test } from 'vitest';
import { ERRORS } from '../../lambda/answer/errors.ts';
import { metricsOf } from './filter-pattern.ts';
import { copyOf, only, PROTECTED } from './synth.ts';

const synth = copyOf(PROTECTED);

describe("the function's log", () => {
  const counted = (line: object) => metricsOf(synth, 'FunctionLogs', JSON.stringify(line));
  const MORE: Readonly<Record<number, string[]>> = {
    40102: ['RefusedTokens'],
    42901: ['Throttled'],
    50001: ['Faults'],
    50301: ['Unavailable'],
    50401: ['Faults'],
  };

  test.each(Object.values(ERRORS))(
    'a line with the error $error counts in the right metrics',
    ({ error }) => {
      const message = { outcome: error >= 50000 ? 'failed' : 'refused', error };
      expect(counted({ message })).toEqual(['Answered', ...(MORE[error] ?? [])]);
    },
  );

  test('a preflight counts as answered, and in no other metric', () => {
    expect(counted({ message: { outcome: 'preflight', duration: 0, request: 'r' } })).toEqual(['Answered']);
  });

  test.each([
    { level: 'ERROR', requestId: 'r', message: { errorType: 'Error', errorMessage: 'x' } },
    { time: 't', type: 'platform.report', record: { status: 'timeout', error: 50401 } },
  ])(
    'a line of Lambda about a crash or a time-out counts in no metric, so the request counts as not completed: %j',
    (line) => {
      expect(counted(line)).toEqual([]);
    },
  );
});

describe("the gateway's access log", () => {
  const format: string = only(synth, 'AWS::ApiGateway::Stage').Properties.AccessLogSetting.Format;

  /** A line as the gateway writes it: each variable replaced by its value, or by a dash without one. */
  const line = (values: Readonly<Record<string, string>>) =>
    format.replaceAll(/\$context\.([\w.]+)/g, (_, name) => values[name] ?? '-');

  test('a line is JSON', () => {
    expect(JSON.parse(line({ status: '400' }))).toMatchObject({ requestId: '-', status: '400' });
  });

  test.each([
    // The function answered.
    ['-', []],
    ['DEFAULT_4XX', []],
    ['DEFAULT_5XX', ['GatewayErrors']],
    ['INTEGRATION_FAILURE', ['GatewayErrors']],
    ['INTEGRATION_TIMEOUT', ['GatewayErrors']],
    ['API_CONFIGURATION_ERROR', ['GatewayErrors']],
    ['MISSING_AUTHENTICATION_TOKEN', []],
    ['INVALID_SIGNATURE', []],
    ['ACCESS_DENIED', []],
    ['EXPIRED_TOKEN', []],
    ['RESOURCE_NOT_FOUND', []],
    ['REQUEST_TOO_LARGE', []],
    ['THROTTLED', ['Throttled']],
    ['QUOTA_EXCEEDED', ['Throttled']],
    ['WAF_FILTERED', []],
  ])('an answer of type %s counts in %j', (type, metrics) => {
    expect(metricsOf(synth, 'AccessLogs', line({ 'error.responseType': type }))).toEqual(metrics);
  });
});
