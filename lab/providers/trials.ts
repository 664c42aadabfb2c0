import { setTimeout as wait } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import { sendHttp } from '../../contract/send-http.ts';
import type { IdentityProvider } from '../../lambda/tokens/json-web-tokens.ts';
import { startLocalProcess } from '../../test/support/local-process.ts';
import { settingsOfPage } from './page.ts';
import type { Provider } from './provider.ts';

type Service = Awaited<ReturnType<typeof startLocalProcess>>;

/** What the service did with a token: whom the log names, or the error number and the fault. */
type Outcome = string;

type Result = readonly [trial: string, expected: Outcome, found: Outcome];

/** Clocks may differ by a minute: how long a token is accepted after it has expired, and a little more. */
const EXPIRED_MS = 63_000;
/** The keys are loaded again at most once in half a minute. */
const RELOADED_MS = 32_000;

/**
 * Tries the tokens of a provider with the local service, which has the settings of the page.
 * @yields each result as soon as there is one
 * @throws Error if a step of the page fails
 */
export async function* trials(provider: Provider): AsyncGenerator<Result> {
  const settings = settingsOfPage(provider.name, provider.addresses);
  const start = async (changes: object = {}) =>
    startLocalProcess(undefined, { args: optionsOf({ ...settings, ...changes }) });
  const service = await start();

  const first = await provider.grant();
  yield ['accepted', 'shop', await send(service, first)];
  // Their audience may be another client's, which must not be the reason to refuse them.
  const [shortLived, idToken] = [await provider.shortLived(), await provider.idToken()];
  const audience = [shortLived, idToken].flatMap((token) => decodeJwt(token).aud ?? []);
  const lenient = await start({ audience });
  yield ['short-lived, at first', 'accepted', nameless(await send(lenient, shortLived))];
  const expired = wait(EXPIRED_MS);

  yield ['wrong audience', '40102 wrong aud', await send(service, await provider.withoutAudience())];
  yield ['wrong scope', '40102 wrong scope', await send(service, await provider.withoutScope())];
  yield ['ID token', `40102 ${provider.idTokenFault}`, await send(lenient, idToken)];

  await expired;
  yield ['expired', '40102 expired token', await send(lenient, shortLived)];
  await lenient.end();

  await provider.rotate();
  const second = await provider.grant();
  yield ['rotated key', 'shop', await whenReloaded(service, second)];
  yield ['removed key', '40102 unknown key', await send(service, first)];

  let latest = second;
  if (provider.replaceUnderSameKid) {
    await provider.replaceUnderSameKid();
    latest = await provider.grant();
    yield ['same kid', 'shop', await whenReloaded(service, latest)];
    yield ['same kid, old key', '40102 wrong signature', await send(service, second)];
  }

  await provider.disable();
  const granted = await provider.grant().then(
    () => 'a token',
    () => 'no token',
  );
  yield ['disabled client', 'no token', granted];
  yield ['disabled client, old token', 'shop', await send(service, latest)];
  await service.end();
  const strict = await start({ allowedClients: ['another'] });
  yield ['not an allowed client', '40102 wrong client', await send(strict, latest)];
  await strict.end();
}

/** The options of `npm start` for the settings of a stage. The local service always has tokens of its own. */
function optionsOf({ ownTokens: _, ...settings }: IdentityProvider): string[] {
  const options = { allowedClients: 'allow-client', nameClaim: 'name-claim', tokenType: 'token-type' };
  return Object.entries({ ...settings }).flatMap(([name, value]) =>
    [value ?? []].flat().flatMap((each) => [`--${options[name as keyof typeof options] ?? name}`, each]),
  );
}

/** Creates a plant. The keys may be loaded too late on a busy machine, and are then loaded again. */
async function send(service: Service, token: string): Promise<Outcome> {
  for (let count = 0; ; count += 1) {
    const outcome = await sendOnce(service, token);
    if (!outcome.startsWith('5') || count === 10) return outcome;
    await wait(3_000);
  }
}

async function sendOnce({ url, output }: Service, token: string): Promise<Outcome> {
  const response = await sendHttp(url, {
    headers: [['authorization', `Bearer ${token}`]],
    body: '{"id":1,"name":"Fern"}',
  });
  const id = String(response.headers['x-request-id']);
  // The service writes the line after its response.
  for (let count = 0; count < 100; count += 1) {
    const line = output()
      .split('\n')
      .find((each) => each.startsWith('{') && each.endsWith('}') && each.includes(id));
    if (line) {
      const { token: name, error, fault } = JSON.parse(line).message;
      return response.status === 200 ? name : `${error} ${fault}`;
    }
    await wait(100);
  }
  return 'no line in the log';
}

/** Repeats a refused request until the service may have loaded the keys again. */
async function whenReloaded(service: Service, token: string): Promise<Outcome> {
  const late = Date.now() + RELOADED_MS;
  for (;;) {
    const outcome = await send(service, token);
    if (!outcome.startsWith('4') || Date.now() > late) return outcome;
    await wait(1_000);
  }
}

/** That a token of any client was accepted. */
function nameless(outcome: Outcome): Outcome {
  return /^\d{5} /.test(outcome) ? outcome : 'accepted';
}
