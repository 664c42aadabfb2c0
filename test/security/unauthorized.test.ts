import { expect, test } from 'vitest';
import { bodyOf } from '../../contract/examples.ts';
import { plantEvent, startTestService } from '../support/test-service.ts';

test('the response to an expired token is the same to the byte as that to an unknown one', async () => {
  let now = Date.now();
  const { admin, handler, lines, close } = await startTestService({ now: () => now });
  const { token: expired } = await admin.issue('yesterday', 1);
  const { token: revoked, issued } = await admin.issue('revoked');
  await admin.revoke(issued);
  now += 2 * 86_400_000;
  const responses = [];
  for (const token of [expired, revoked, 'plants_guess'])
    responses.push(await handler(plantEvent(token, bodyOf(1))));
  await close();
  const challenge = 'Bearer realm="plant-store", error="invalid_token"';
  expect(responses[0]?.headers).toHaveProperty('www-authenticate', challenge);
  expect(lines.map(({ fault }) => fault)).toEqual(['expired token', 'unknown token', 'malformed token']);
  expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
});
