import { expect, test } from 'vitest';
import { ENVIRONMENT, optionalList, requireVariable } from '../../lambda/environment.ts';

test('the variables have the names that the deployed function and the local service set', () => {
  expect(ENVIRONMENT).toEqual({
    plantsTable: 'PLANTS_TABLE',
    accessTokensTable: 'ACCESS_TOKENS_TABLE',
    endpoint: 'AWS_ENDPOINT_URL_DYNAMODB',
    allowedOrigins: 'ALLOWED_ORIGINS',
    functionVersion: 'AWS_LAMBDA_FUNCTION_VERSION',
    traceHeader: '_X_AMZN_TRACE_ID',
  });
});

test('the error names a missing or empty variable', () => {
  expect(() => requireVariable('PLANTS_TABLE', {})).toThrow('PLANTS_TABLE is not set');
  expect(() => requireVariable('PLANTS_TABLE', { PLANTS_TABLE: '' })).toThrow('PLANTS_TABLE is not set');
  expect(requireVariable('PLANTS_TABLE', { PLANTS_TABLE: 'Plants' })).toBe('Plants');
});

test.each([
  [undefined, undefined],
  ['', undefined],
  ['https://a.example', ['https://a.example']],
  ['https://a.example http://localhost:1', ['https://a.example', 'http://localhost:1']],
])('the items of a list are separated by spaces: %j', (value, list) => {
  expect(optionalList('ALLOWED_ORIGINS', { ALLOWED_ORIGINS: value })).toEqual(list);
});
