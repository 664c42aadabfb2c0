import { expect, test } from 'vitest';
import { bodyOf } from '../../contract/examples.ts';
import { isTokenFormat } from '../../lambda/store/token-format.ts';
import { errorOf, plantEvent, startTestService } from '../support/test-service.ts';
import { refusedTokens } from './refused-tokens.ts';

// contract/cases.yaml has expired and revoked tokens, over a real store; the cache has tests of its own.
test('hundreds of malformed and nearly valid tokens are refused with the same response', async () => {
  const { token: valid, handler, item, close } = await startTestService();
  const tokens = refusedTokens(valid);
  expect(tokens.length).toBeGreaterThan(700);
  expect(tokens.filter(isTokenFormat).length).toBeGreaterThan(300);
  const letIn: string[] = [];
  const bodies = new Set<string>();
  for (const token of tokens) {
    const response = await handler(plantEvent(token, bodyOf(1)));
    bodies.add(response.body);
    if (errorOf(response) !== 40102) letIn.push(token);
  }
  expect(letIn).toEqual([]);
  expect(bodies.size).toBe(1);
  expect(await item('1')).toBeUndefined();
  await close();
});

test('the response to an expired token is the same to the byte as that to an unknown one', async () => {
  let now = Date.now();
  const { admin, handler, lines, close } = await startTestService({ now: () => now });
  const { token: expired } = await admin.issue('yesterday', 1);
  const { token: revoked, issued } = await admin.issue('revoked');
  await admin.withdraw(issued);
  now += 2 * 86_400_000;
  const responses = [];
  for (const token of [expired, revoked, 'plants_guess'])
    responses.push(JSON.stringify(await handler(plantEvent(token, bodyOf(1)))));
  await close();
  expect(lines.map(({ fault }) => fault)).toEqual(['expired token', 'unknown token', 'malformed token']);
  expect(new Set(responses).size).toBe(1);
});
