import { expect, test } from 'vitest';
import { ENVIRONMENT, optionalList, requireVariable } from '../../lambda/environment.ts';

test('the variable names are those that the deployed function and the local service set', () => {
  expect(ENVIRONMENT).toEqual({
    plantsTable: 'PLANTS_TABLE',
    accessTokensTable: 'ACCESS_TOKENS_TABLE',
    endpoint: 'AWS_ENDPOINT_URL_DYNAMODB',
    allowedOrigins: 'ALLOWED_ORIGINS',
    functionVersion: 'AWS_LAMBDA_FUNCTION_VERSION',
  });
});

test('the error names a missing or empty variable', () => {
  expect(() => requireVariable('PLANTS_TABLE', {})).toThrow('PLANTS_TABLE is not set');
  expect(() => requireVariable('PLANTS_TABLE', { PLANTS_TABLE: '' })).toThrow('PLANTS_TABLE is not set');
  expect(requireVariable('PLANTS_TABLE', { PLANTS_TABLE: 'Plants' })).toBe('Plants');
});

test('a list is separated by spaces, and is undefined when the variable is unset or empty', () => {
  const list = (value: string) => optionalList('ALLOWED_ORIGINS', { ALLOWED_ORIGINS: value });
  expect(list('https://a.example')).toEqual(['https://a.example']);
  expect(list('https://a.example http://localhost:1')).toEqual(['https://a.example', 'http://localhost:1']);
  expect(list('')).toBeUndefined();
  expect(optionalList('ALLOWED_ORIGINS', {})).toBeUndefined();
});
