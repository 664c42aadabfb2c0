import { readFileSync } from 'node:fs';
import type http from 'node:http';
import { OPENAPI, OPENAPI_YAML } from '../contract/openapi.ts';
import { requestPath } from './proxy-event.ts';

/** A page's bytes and media type. */
interface Page {
  readonly type: string;
  readonly read: () => Buffer | string;
}

/** All pages. No folder is served, so no path traversal is possible. */
const PAGES: Readonly<Record<string, Page>> = {
  '/openapi.json': { type: 'application/json', read: () => JSON.stringify(OPENAPI, null, 2) },
  '/openapi.yaml': { type: 'application/yaml', read: () => OPENAPI_YAML },
  '/docs': { type: 'text/html; charset=utf-8', read: ours('index.html') },
  '/docs/page.css': { type: 'text/css', read: ours('page.css') },
  '/docs/page.js': { type: 'text/javascript', read: ours('page.js') },
  '/docs/access-token.js': { type: 'text/javascript', read: ours('access-token.js') },
  '/docs/samples.js': { type: 'text/javascript', read: ours('samples.js') },
  '/docs/labels.js': { type: 'text/javascript', read: ours('labels.js') },
  '/docs/icon.svg': { type: 'image/svg+xml', read: ours('icon.svg') },
  '/docs/swagger-ui.css': { type: 'text/css', read: swaggerUi('swagger-ui.css') },
  '/docs/swagger-ui-bundle.js': { type: 'text/javascript', read: swaggerUi('swagger-ui-bundle.js') },
};

/** No content from other hosts, no inline code, no frames around the page, no forms. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Answers GET and HEAD of `/docs`, `/openapi.json` and `/openapi.yaml`. The deployed API has no pages.
 * @returns whether it has answered; the gateway answers the other requests
 */
export function answerPage(request: http.IncomingMessage, response: http.ServerResponse): boolean {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const path = requestPath(request);
  const page = isRead && Object.hasOwn(PAGES, path) ? PAGES[path] : undefined;
  if (page) send(request, response, page);
  return page !== undefined;
}

function send(request: http.IncomingMessage, response: http.ServerResponse, { type, read }: Page): void {
  // A body has no meaning here, but an unread one would be parsed as the next request.
  request.resume();
  const body = read();
  response.writeHead(200, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'content-security-policy': POLICY,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function ours(name: string): () => Buffer {
  return () => readFileSync(new URL(`docs-page/${name}`, import.meta.url));
}

function swaggerUi(name: string): () => Buffer {
  return () => readFileSync(new URL(import.meta.resolve(`swagger-ui-dist/${name}`)));
}
