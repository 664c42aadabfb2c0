import { afterAll, describe, expect, test } from 'vitest';
import { startTestService } from '../support/test-service.ts';
import { type Fixture, startFixture } from './run-cell.ts';

/** Lambda freezes a process between requests: it uses a connection before it learns that the store has closed it. */
describe('a connection that the store closed while the function was frozen', async () => {
  const service = await startTestService();
  afterAll(() => service.close());
  const scenario = (name: string, run: (fixture: Fixture) => Promise<void>) =>
    test.concurrent(name, async () => {
      const fixture = await startFixture(service);
      // Opens the connection, and the token is known from then on.
      expect(await fixture.send('{"id":1,"name":"Moss","tag":"shade"}')).toBe(200);
      await run(fixture);
      await fixture.proxy.close();
    });

  scenario('the next request succeeds', async ({ proxy, plant, send, item }) => {
    proxy.closeConnections();
    expect(await send()).toBe(200);
    expect(await item()).toEqual(plant);
  });

  scenario('and nobody listens any more: the plant may be stored', async ({ proxy, plant, send, item }) => {
    await proxy.play({ PutItem: ['refuse', 'refuse', 'refuse'] });
    proxy.closeConnections();
    // The attempt on the old connection may have been written; the two others were refused.
    expect(await send()).toBe(50401);
    expect(proxy.attempts.PutItem).toBe(2);
    expect(await item()).toBeUndefined();
    await proxy.play({});
    expect(await send()).toBe(200);
    expect(await item()).toEqual(plant);
  });
});
