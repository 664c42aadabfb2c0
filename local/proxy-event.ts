import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEvent } from 'aws-lambda';

/** A request's path without its query; the origin of an absolute-form target is dropped (RFC 9112 §3.2.2). */
export function requestPath(request: IncomingMessage): string {
  const target = (request.url ?? '/').replace(/^https?:\/\/[^/?]*/i, '');
  return target.split('?', 1)[0] || '/';
}

/** The resource that API Gateway routes a request to: it makes nothing of empty segments, as in `/plants/`. */
export function resourceOf(request: IncomingMessage): string {
  return `/${requestPath(request).split('/').filter(Boolean).join('/')}`;
}

/**
 * Writes a request as the event that a REST API hands to a Lambda proxy integration (payload version 1.0), its body as
 * base64 as under `binaryMediaTypes: *\/*`.
 * @param requestId what the gateway calls this request
 */
export function proxyEvent(request: IncomingMessage, body: Buffer, requestId: string): APIGatewayProxyEvent {
  const path = requestPath(request);
  const multiValueHeaders = headersOf(request);
  const query = new URLSearchParams(request.url?.split('?')[1] ?? '');
  const names = [...new Set(query.keys())];
  return {
    resource: resourceOf(request),
    path,
    httpMethod: request.method ?? '',
    headers: lastValues(multiValueHeaders),
    multiValueHeaders,
    queryStringParameters: names.length === 0 ? null : Object.fromEntries(query),
    multiValueQueryStringParameters:
      names.length === 0 ? null : Object.fromEntries(names.map((name) => [name, query.getAll(name)])),
    pathParameters: null,
    stageVariables: null,
    requestContext: { requestId, httpMethod: request.method, path, stage: 'local' } as never,
    body: body.length === 0 ? null : body.toString('base64'),
    isBase64Encoded: body.length > 0,
  };
}

/** Every value of every header, as sent: `request.headers` would drop a second Authorization in silence. */
function headersOf(request: IncomingMessage): Record<string, string[]> {
  const spelling = new Map<string, string>();
  const headers: Record<string, string[]> = {};
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const sent = request.rawHeaders[index] ?? '';
    const name = spelling.get(sent.toLowerCase()) ?? sent;
    spelling.set(sent.toLowerCase(), name);
    headers[name] = [...(headers[name] ?? []), request.rawHeaders[index + 1] ?? ''];
  }
  return headers;
}

function lastValues(headers: Record<string, string[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, values.at(-1) ?? '']));
}
