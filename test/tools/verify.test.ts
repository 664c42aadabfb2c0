import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createGateway } from '../../local/gateway.ts';
import type { Result } from '../../tools/verify/check.ts';
import { startLocalProcess, temporaryFolder } from '../support/local-process.ts';
import { startTestService } from '../support/test-service.ts';
import { verify } from '../support/verify-process.ts';

describe('npm run verify finds that the local service keeps the contract', () => {
  test('without --write it adds one plant, the same in every run, and shows no token', async () => {
    const server = await startLocalProcess(temporaryFolder());
    const lines = () => server.output().match(/"outcome":"created"/g)?.length ?? 0;
    for (const _ of ['first run', 'second run']) {
      const { code, out } = await verify(['--url', server.url, '--token', server.token]);
      expect(out).toMatch(/^together +\d{3} +- +4$/m);
      expect(out).not.toContain('plants_');
      expect(code).toBe(0);
      expect(lines()).toBe(1);
    }
    await server.end('SIGTERM');
  });

  test('with --write all that it can judge holds, a second time too', async () => {
    const server = await startLocalProcess(temporaryFolder());
    for (const _ of ['first run', 'second run']) {
      const { code, out } = await verify(['--url', server.url, '--write', '--json'], {
        PLANT_STORE_TOKEN: server.token,
      });
      const { held, results } = JSON.parse(out) as { held: number; results: Result[] };
      expect(results.filter(({ verdict }) => verdict === 'did not hold')).toEqual([]);
      expect(held).toBeGreaterThan(450);
      expect(code).toBe(0);
    }
    await server.end('SIGTERM');
  });
});

describe('npm run verify that cannot begin says why in one line and exits with 1', () => {
  const token = `plants_${'0'.repeat(49)}`;
  test.each([
    ['no address', ['--token', token], 'npm run verify -- --url BASE_URL'],
    ['no token', ['--url', 'http://localhost:1'], 'npm run verify -- --url BASE_URL'],
    ['an address that is none', ['--url', 'localhost:3000', '--token', token], 'npm run verify -- --url'],
    [
      'a token with a wrong sum',
      ['--url', 'http://localhost:1', '--token', token],
      'TOKEN is not an access token',
    ],
    ['an unknown option', ['--uri', 'http://localhost:1'], "Unknown option '--uri'"],
  ])('%s', async (_, words, message) => {
    const { code, err } = await verify(words, { PLANT_STORE_TOKEN: '' });
    expect(err).toContain(message);
    expect(err).not.toContain('    at ');
    expect(code).toBe(1);
  });

  test('nothing listens there, or the token is refused', async () => {
    const [service, other] = [await startTestService(), await startTestService()];
    const gateway = createGateway(service.handler).listen(0, '127.0.0.1');
    await once(gateway, 'listening');
    const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
    const refused = await verify(['--url', url, '--token', other.token]);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('refuses this token (40102)') });
    gateway.closeAllConnections();
    gateway.close();
    const gone = await verify(['--url', url, '--token', service.token]);
    expect(gone).toMatchObject({ code: 1, err: expect.stringContaining('cannot be reached (ECONNREFUSED)') });
    await service.close();
    await other.close();
  });
});
