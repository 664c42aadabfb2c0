import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import { contractViolations } from '../../contract/judge-response.ts';
import { RESPONSE_MS } from '../../operate/send-http.ts';
import type { Check } from './check.ts';

/** HEAD is no operation, so its response is a refusal, whose body must not be sent (RFC 9110, section 9.3.2). */
export function headCheck(group: string): Check {
  return {
    group,
    rule: 'HEAD gets the status and the headers of a refusal, and no body',
    run: async (service) => {
      const response = await service.send({ method: 'HEAD' });
      const body = JSON.stringify({ error: 40401, message: 'HEAD has no body.' });
      const sent = await bytesAfterHead(service.baseUrl, service.stop);
      const wrong = sent === 0 ? [] : [`there is a body of ${sent} bytes`];
      return [...wrong, ...contractViolations({ ...response, body })];
    },
  };
}

/**
 * Sends HEAD on a connection of its own, and counts what comes after the headers: Node's HTTP client would discard it.
 * @throws Error with a `code` if no response arrives, or it does not end in time
 */
async function bytesAfterHead(baseUrl: string, stop: AbortSignal | undefined): Promise<number> {
  const { protocol, hostname, host, port, pathname } = new URL(baseUrl);
  const isSecure = protocol === 'https:';
  // An IPv6 address is in brackets in a URL only.
  const name = hostname.replace(/^\[|\]$/g, '');
  const to = { host: name, port: Number(port) || (isSecure ? 443 : 80) };
  const socket = isSecure
    ? tls.connect({ ...to, ...(net.isIP(name) === 0 && { servername: name }) })
    : net.connect(to);
  const end = () => socket.destroy(Object.assign(new Error('no end'), { code: 'ABORT_ERR' }));
  const signal = AbortSignal.any([AbortSignal.timeout(RESPONSE_MS), ...(stop ? [stop] : [])]);
  signal.addEventListener('abort', end, { once: true });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  const path = `${pathname.replace(/\/$/, '')}/plants`;
  socket.write(`HEAD ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  await once(socket, 'close');
  const text = Buffer.concat(chunks).toString('latin1');
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) throw Object.assign(new Error('no response'), { code: 'ECONNRESET' });
  return text.length - head - 4;
}
