import http from 'node:http';
import https from 'node:https';
import { sendHttp } from '../verify/send-http.ts';

/**
 * A `fetch` for plant-store-client over Node's own HTTP. With Node's `fetch`, an import needs twice the CPU time, and its
 * memory grows to 380 MiB, because each request leaves more garbage.
 * @param baseUrl where every request goes
 */
export function httpFetch(baseUrl: string): typeof fetch {
  const { Agent } = baseUrl.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true });
  return async (_, { headers, body, signal } = {}) => {
    const sent = { headers: Object.entries(headers as Record<string, string>), body: String(body) };
    const answer = await sendHttp(baseUrl, sent, agent, signal ?? undefined);
    const received = { get: (name: string) => answer.headers[name] ?? null };
    // The client uses no more of an answer than this.
    const arrayBuffer = async () => answer.bytes;
    return { status: answer.status, headers: received, arrayBuffer } as unknown as Response;
  };
}
