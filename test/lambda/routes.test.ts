import { expect, test } from 'vitest';
import { parametersOf } from '../../lambda/routes.ts';

const READ = { method: 'GET', path: '/plants/{id}' };
const LEAF = { method: 'GET', path: '/plants/{id}/leaves/{leaf}' };

test.each([
  [READ, '/plants/7', { id: '7' }],
  [READ, '/v1/plants/-7', { id: '-7' }],
  [READ, '/plants/a%2Fb', { id: 'a%2Fb' }],
  [LEAF, '/plants/7/leaves/8', { id: '7', leaf: '8' }],
  [READ, '/plants/', undefined],
  [READ, '/plants/7/', undefined],
  [READ, '/v1//plants/7', undefined],
  [READ, '/plants//7', undefined],
  [READ, '/plants/7/leaves', undefined],
  [READ, '/leaves/7', undefined],
])('of %o, the path %s has the parameters %o', (route, path, parameters) => {
  expect(parametersOf(route, path)).toEqual(parameters);
});
