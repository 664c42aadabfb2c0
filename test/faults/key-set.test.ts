import http from 'node:http';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { bodyOf, WHOLE } from '../../contract/examples.ts';
import { Clock } from '../support/clock.ts';
import { someOf } from '../support/exhaustive.ts';
import { bundleFile, startBundle } from '../support/function-under-test.ts';
import { AUDIENCE, makeKey, signed } from '../support/identity-provider.ts';
import { listen } from '../support/listen.ts';
import { ScriptedStore } from '../support/scripted-store.ts';
import { pass } from '../support/store-behaviors.ts';
import { plantEvent, startTestService } from '../support/test-service.ts';
import { FAULTS } from './faults.ts';
import { numberOf } from './run-cell.ts';

const key = await makeKey('first', 'ES256');
const { d: _, ...publicKey } = key;
const METADATA = '/.well-known/openid-configuration';
const metadataOf = (issuer: string) => ({ issuer, jwks_uri: `${issuer}/keys` });

/** Without one: connecting has no time limit of its own here. */
const OF_STORE = FAULTS.filter(({ behavior }) => behavior !== 'hang on connect');
const CELLS = someOf(
  OF_STORE.flatMap((fault) => [METADATA, '/keys'].map((path) => ({ ...fault, path }))),
  'faults of the identity provider',
);
let lastId = 7_900_000;

describe('with every fault of the identity provider, nobody gets in, and nothing is stored', async () => {
  const service = await startTestService();
  const provider = http.createServer(({ url, headers }, response) => {
    const document = url === METADATA ? metadataOf(`https://${headers.host}`) : { keys: [publicKey] };
    response.end(JSON.stringify(document));
  });
  const address = await listen(provider);
  let later = 0;
  const { now } = Date;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + later);
  afterAll(async () => {
    vi.restoreAllMocks();
    provider.close();
    await service.close();
  });

  test.concurrent.each(CELLS)('$name, $path: $kind', async ({ path, behavior, kind }) => {
    const clock = new Clock();
    const proxy = await ScriptedStore.start({ store: address, clock });
    vi.stubEnv('IDENTITY_PROVIDER', JSON.stringify({ issuer: proxy.endpoint, audience: AUDIENCE }));
    const { handler, lines } = startBundle(service.store.endpoint, clock, bundleFile('with'));
    vi.unstubAllEnvs();
    const claims = { iss: proxy.endpoint, aud: AUDIENCE, client_id: 'shop', exp: now() / 1000 + 600 };
    const token = await signed(key, claims);
    const id = String(++lastId);
    const send = async () => numberOf(await handler(plantEvent(token, bodyOf(id, WHOLE))), lines.at(-1));
    // For the proxy, the second connection is that of a put.
    proxy.play(
      path === METADATA ? { GetItem: [behavior] } : { GetItem: [pass, behavior], PutItem: [behavior] },
    );
    expect(await send()).toBe(kind === 'harmless' ? 200 : 50301);
    expect(clock.now).toBeLessThanOrEqual(1_800);
    expect(proxy.overdue).toBe(0);
    if (kind !== 'harmless') {
      expect(lines[0]?.fault).toMatch(/^no key set: /);
      expect(await service.item(id)).toBeUndefined();
    }
    proxy.play({});
    later += 2_000;
    expect(await send()).toBe(200);
    expect(lines[1]?.token).toBe('shop');
    expect(JSON.stringify(lines)).not.toMatch(RegExp([...token.split('.'), AUDIENCE, 'first'].join('|')));
    await proxy.close();
  });
});
