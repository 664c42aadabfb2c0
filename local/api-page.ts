import { readFileSync } from 'node:fs';
import type http from 'node:http';
import { OPENAPI } from '../contract/openapi.ts';
import type { Page } from './gateway.ts';
import { requestPath } from './request-path.ts';

const pageFile = (name: string) => new URL(`docs-page/${name}`, import.meta.url);
const swaggerUi = (name: string) => new URL(import.meta.resolve(`swagger-ui-dist/${name}`));

/** All files: the media type, and a file or what makes the text. No folder is served, so no path traversal is possible. */
const FILES = new Map<string, readonly [type: string, content: URL | (() => string)]>([
  ['/openapi.json', ['application/json', () => JSON.stringify(OPENAPI, null, 2)]],
  ['/openapi.yaml', ['application/yaml', new URL('../contract/openapi.yaml', import.meta.url)]],
  ['/docs', ['text/html; charset=utf-8', pageFile('index.html')]],
  ['/docs/page.css', ['text/css', pageFile('page.css')]],
  ['/docs/page.js', ['text/javascript', pageFile('page.js')]],
  ['/docs/icon.svg', ['image/svg+xml', pageFile('icon.svg')]],
  ['/docs/swagger-ui.css', ['text/css', swaggerUi('swagger-ui.css')]],
  ['/docs/swagger-ui-bundle.js', ['text/javascript', swaggerUi('swagger-ui-bundle.js')]],
]);

/** No content from other hosts, no inline code, no frames around the page, no forms. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The contract as a page, with GET and HEAD, and what it consists of. */
export const API_PAGE: Page = { title: 'API page', path: '/docs', respond };

async function respond(request: http.IncomingMessage, response: http.ServerResponse): Promise<boolean> {
  const page = FILES.get(requestPath(request));
  if (!page || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
  const [type, content] = page;
  const body = content instanceof URL ? readFileSync(content) : content();
  response.writeHead(200, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'content-security-policy': POLICY,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  // Node sends no body in response to HEAD.
  response.end(body);
  return true;
}
