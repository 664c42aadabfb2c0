import type { IncomingMessage } from 'node:http';

/** A request's path without its query; the origin of an absolute-form target is dropped (RFC 9112 §3.2.2). */
export function requestPath(request: IncomingMessage): string {
  const target = (request.url ?? '/').replace(/^https?:\/\/[^/?]*/i, '');
  return target.split('?', 1)[0] || '/';
}
