import { expect, test } from 'vitest';
import { ENVIRONMENT, requireVariable } from '../../lambda/environment.ts';

test('the variable names are those that the deployed function and the local service set', () => {
  expect(ENVIRONMENT).toEqual({
    plantsTable: 'PLANTS_TABLE',
    accessTokensTable: 'ACCESS_TOKENS_TABLE',
    endpoint: 'AWS_ENDPOINT_URL_DYNAMODB',
    functionVersion: 'AWS_LAMBDA_FUNCTION_VERSION',
  });
});

test('the error names a missing or empty variable', () => {
  expect(() => requireVariable('PLANTS_TABLE', {})).toThrow('PLANTS_TABLE is not set');
  expect(() => requireVariable('PLANTS_TABLE', { PLANTS_TABLE: '' })).toThrow('PLANTS_TABLE is not set');
  expect(requireVariable('PLANTS_TABLE', { PLANTS_TABLE: 'Plants' })).toBe('Plants');
});
