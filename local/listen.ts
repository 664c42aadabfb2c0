import { once } from 'node:events';
import { type AddressInfo, isIPv6, type Server } from 'node:net';

/** All addresses of a machine, and the one of them by which it reaches itself. */
const ALL: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The address by which this machine reaches a service that listens on an IP address. */
export function urlOf(host: string, port: number): string {
  const here = ALL[host] ?? host;
  return `http://${isIPv6(here) ? `[${here}]` : here}:${port}`;
}

/** Starts a server, by default on a free port of the loopback interface. @returns its address, such as `http://127.0.0.1:8080` */
export async function listen(server: Server, host = '127.0.0.1', port = 0): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening');
  return urlOf(host, (server.address() as AddressInfo).port);
}
