import { isIPv6 } from 'node:net';

/** All addresses of a machine, and the one of them by which it reaches itself. */
const ALL: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The address by which this machine reaches a service that listens on an IP address. */
export function urlOf(host: string, port: number): string {
  const here = ALL[host] ?? host;
  return `http://${isIPv6(here) ? `[${here}]` : here}:${port}`;
}
