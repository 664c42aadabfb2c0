import { describe, expect, test } from 'vitest';
import { ERRORS } from '../../lambda/answer/errors.ts';
import { metricsOf } from './filter-pattern.ts';
import { copyOf, only, PROTECTED } from './synth.ts';

const synth = copyOf(PROTECTED);

describe("the function's log", () => {
  const COUNTED: Readonly<Record<number, string[]>> = {
    40000: ['Answered'],
    40001: ['Answered'],
    40002: ['Answered'],
    40101: ['Answered'],
    40102: ['Answered', 'RefusedTokens'],
    40301: ['Answered'],
    40401: ['Answered'],
    40901: ['Answered'],
    41301: ['Answered'],
    41501: ['Answered'],
    42901: ['Answered', 'Throttled'],
    50001: ['Answered', 'Faults'],
    50301: ['Answered', 'Unavailable'],
    50401: ['Answered', 'Faults'],
  };

  test.each(Object.values(ERRORS))(
    'a line with the error $error counts in the right metrics',
    ({ error }) => {
      const line = { message: { outcome: error >= 50000 ? 'failed' : 'refused', error } };
      expect(metricsOf(synth, 'FunctionLogs', JSON.stringify(line))).toEqual(COUNTED[error]);
    },
  );

  test('a preflight counts as answered, and in no other metric', () => {
    const line = { message: { outcome: 'preflight', duration: 0, request: 'r' } };
    expect(metricsOf(synth, 'FunctionLogs', JSON.stringify(line))).toEqual(['Answered']);
  });
});

describe("the gateway's access log", () => {
  const format: string = only(synth, 'AWS::ApiGateway::Stage').Properties.AccessLogSetting.Format;

  /** A line as the gateway writes it: each variable replaced by its value, or by a dash without one. */
  const line = (values: Readonly<Record<string, string>>) =>
    format.replaceAll(/\$context\.([\w.]+)/g, (_, name) => values[name] ?? '-');

  test('a line is JSON, with and without values', () => {
    expect(JSON.parse(line({}))).toMatchObject({ requestId: '-', responseType: '-' });
    expect(JSON.parse(line({ requestId: 'a', status: '400' }))).toMatchObject({
      requestId: 'a',
      status: '400',
    });
  });

  test('an answer of the function counts in no metric of the gateway', () => {
    expect(metricsOf(synth, 'AccessLogs', line({ status: '400' }))).toEqual([]);
  });

  test.each([
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
  ])('%s adds to %j', (type, metrics) => {
    expect(metricsOf(synth, 'AccessLogs', line({ 'error.responseType': type }))).toEqual(metrics);
  });
});
