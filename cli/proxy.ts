import { PlainError } from './plain-error.ts';

/** Of these, the first that is set. */
const FOR_HTTPS = ['https_proxy', 'HTTPS_PROXY'];
const FOR_HTTP = ['http_proxy', 'HTTP_PROXY'];
const NAMES = [...FOR_HTTPS, ...FOR_HTTP];
/** Never through a proxy: the local service, and stores such as DynamoDB Local. Node's two clients write ::1 differently. */
const DIRECT = ['localhost', '127.0.0.1', '::1', '[::1]'];

/**
 * Lets `fetch`, and agents with `proxyEnv: process.env`, use the proxy of HTTPS_PROXY, HTTP_PROXY and NO_PROXY, as the AWS CLI does.
 * The names may be in lower case, which goes first. Nothing else of the process may have sent a request yet.
 * @param env is changed: a proxy gets a scheme, and NO_PROXY this machine
 * @throws PlainError without the value, which may have a password, if a proxy is no HTTP proxy
 */
export async function obeyProxy(env: NodeJS.ProcessEnv = process.env): Promise<void> {
  if (proxyVariable(env) === undefined) return;
  for (const name of NAMES.filter((each) => env[each])) {
    const proxy = String(env[name]).replace(/^(?!.*:\/\/)/, 'http://');
    if (!/^https?:/.test(proxy) || !URL.canParse(proxy))
      throw new PlainError(`${name} must be an HTTP proxy, such as http://proxy.example.com:3128.`);
    env[name] = proxy;
  }
  const direct = env.no_proxy || env.NO_PROXY;
  // With other entries, `fetch` does not understand the asterisk.
  if (direct !== '*') env.no_proxy = [direct, ...DIRECT].filter(Boolean).join();
  const { setGlobalProxyFromEnv } = await import('node:http');
  setGlobalProxyFromEnv(env);
}

/** The proxy for an address: for https not that of HTTP_PROXY, as in Node and the AWS CLI. NO_PROXY may except the address. */
export function proxyFor(address: string): string | undefined {
  const names = address.startsWith('https:') ? FOR_HTTPS : FOR_HTTP;
  return names.map((name) => process.env[name]).find(Boolean);
}

/** The variable by which the environment names a proxy; undefined if it names none. */
export function proxyVariable(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return NAMES.find((name) => env[name]);
}
