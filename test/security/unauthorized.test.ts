import { expect, test } from 'vitest';
import { isTokenFormat } from '../../lambda/store/token-format.ts';
import { errorOf, plantEvent, startTestService } from '../support/test-service.ts';
import { refusedTokens } from './refused-tokens.ts';

// contract/cases.yaml has expired and revoked tokens, over a real store; the cache has tests of its own.
test('more than a thousand malformed, foreign and nearly valid tokens are refused with the same response', async () => {
  const { token: valid, handler, item, close } = await startTestService();
  const tokens = refusedTokens(valid);
  expect(tokens.length).toBeGreaterThan(1_000);
  expect(tokens.filter(isTokenFormat).length).toBeGreaterThan(300);
  const letIn: string[] = [];
  const bodies = new Set<string>();
  for (const token of tokens) {
    const response = await handler(plantEvent(token, '{"id":1,"name":"Intruder"}'));
    bodies.add(response.body);
    if (errorOf(response) !== 40102) letIn.push(token);
  }
  expect(letIn).toEqual([]);
  expect(bodies.size).toBe(1);
  expect(await item('1')).toBeUndefined();
  await close();
});
