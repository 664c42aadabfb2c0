import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createGateway } from '../../local/gateway.ts';
import type { Result } from '../../tools/verify/check.ts';
import { startLocalProcess, temporaryFolder } from '../support/local-process.ts';
import { startTestService } from '../support/test-service.ts';
import { runTool } from './run-tool.ts';

describe('npm run verify finds that the local service keeps the contract', () => {
  test('without --write it adds one plant, the same in every run, and shows no token', async () => {
    const server = await startLocalProcess(temporaryFolder());
    const lines = () => server.output().match(/"outcome":"created"/g)?.length ?? 0;
    for (const _ of ['first run', 'second run']) {
      const { code, out } = await runTool('verify', ['--url', server.url], { input: server.token });
      expect(out).toMatch(/^total +\d{3} +- +\d$/m);
      const verdict = out.trim().split('\n').at(-1);
      expect(verdict).toMatch(
        / conforms to the contract: 3\d\d rules held, 0 did not hold, \d not judged\.$/,
      );
      expect(out).not.toContain('plants_');
      expect(code).toBe(0);
      expect(lines()).toBe(1);
    }
    await server.end('SIGTERM');
  });

  test('with --write all that it can judge holds, a second time too', async () => {
    const server = await startLocalProcess(temporaryFolder());
    for (const _ of ['first run', 'second run']) {
      const { code, out, err } = await runTool('verify', ['--url', server.url, '--write', '--json'], {
        env: { PLANT_STORE_TOKEN: server.token },
      });
      expect(err).toMatch(
        /^http:\S+ conforms to the contract: \d+ rules held, 0 did not hold, \d+ not judged\.\n$/,
      );
      const { held, results } = JSON.parse(out) as { held: number; results: Result[] };
      expect(results.filter(({ verdict }) => verdict === 'did not hold')).toEqual([]);
      expect(held).toBeGreaterThan(450);
      expect(code).toBe(0);
    }
    await server.end('SIGTERM');
  });
});

describe('npm run verify that cannot begin says why in one line', () => {
  const token = `plants_${'0'.repeat(49)}`;
  const url = ['--url', 'http://localhost:1'];
  test.each([
    ['no address', [], token, '--url is missing'],
    ['no token', url, '', 'Put the access token into PLANT_STORE_TOKEN, or give it on standard input.'],
    ['an address that is none', ['--url', 'localhost:3000'], token, '--url must be an address such as'],
    ['a token with a wrong checksum', url, token, 'This is not an access token'],
    ['a token as an option', [...url, '--token', token], '', 'There is no option --token: give the token in'],
    ['a token after =', [...url, `--token=${token}`], '', 'There is no option --token: give the token in'],
    ['a token alone', [...url, token], '', 'An argument does not belong to any option'],
    ['an unknown option', ['--uri', 'http://localhost:1'], token, "Unknown option '--uri'; --help shows"],
  ])('%s: exit code 2', async (_, words, input, message) => {
    const { code, out, err } = await runTool('verify', words, { input });
    expect(err).toContain(message);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(out + err).not.toContain('plants_0');
    expect(code).toBe(2);
  });

  test('the address is wrong, the token is refused, or nobody listens: exit code 1', async () => {
    const [service, other] = [await startTestService(), await startTestService()];
    const gateway = createGateway(service.handler).listen(0, '127.0.0.1');
    await once(gateway, 'listening');
    const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
    const verified = async (address: string, input: string) => {
      const { code, out, err } = await runTool('verify', ['--url', address], { input });
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err.trim().split('\n')).toHaveLength(1);
      return err;
    };
    const wrong = `${url}/plants`;
    expect(await verified(wrong, service.token)).toMatch(/\/plants has no POST \/plants \(40401\); --url is/);
    expect(await verified(url, other.token)).toContain('refuses the access token (40102)');
    gateway.closeAllConnections();
    gateway.close();
    expect(await verified(url, service.token)).toContain('cannot be reached (ECONNREFUSED)');
    await service.close();
    await other.close();
  });
});

test('a service that goes away ends the run, after three checks without an answer', async () => {
  const service = await startTestService();
  const gateway = createGateway(service.handler);
  let requests = 0;
  gateway.prependListener('request', (request) => {
    requests += 1;
    if (requests > 20) request.socket.destroy();
  });
  gateway.listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
  const { code, out } = await runTool('verify', ['--url', url, '--json'], { input: service.token });
  gateway.close();
  await service.close();
  const { held, didNotHold, results } = JSON.parse(out) as {
    held: number;
    didNotHold: number;
    results: Result[];
  };
  expect(held).toBeGreaterThan(5);
  expect(didNotHold).toBe(3);
  expect(results.at(-1)).toMatchObject({ verdict: 'not judged', reasons: ['the service stopped answering'] });
  expect(requests).toBeLessThan(30);
  expect(code).toBe(1);
});
