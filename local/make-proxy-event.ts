import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { parametersOf, ROUTES, type Route } from '../lambda/routes.ts';
import { requestPath } from './request-path.ts';

/** The ids that API Gateway gives a request. Unlike there, a client cannot choose the first. */
export interface RequestIds {
  /** The client gets it as `x-request-id`. */
  readonly requestId: string;
  readonly extendedRequestId: string;
}

/** Makes the ids of a request; the second has the form of the ids in AWS's examples. */
export function requestIds(): RequestIds {
  return { requestId: randomUUID(), extendedRequestId: randomBytes(11).toString('base64') };
}

/**
 * Converts a request to the event that a REST API passes to a Lambda proxy integration (payload version 1.0). The body
 * is base64, as with `binaryMediaTypes: *\/*`.
 * @param ids the gateway's ids for this request
 */
export function proxyEvent(request: IncomingMessage, body: Buffer, ids: RequestIds): APIGatewayProxyEvent {
  const path = requestPath(request);
  const multiValueHeaders = valuesByHeader(request);
  const identity = { sourceIp: request.socket.remoteAddress };
  return {
    ...gatewayRoute(path),
    path,
    httpMethod: request.method ?? '',
    headers: lastOf(multiValueHeaders),
    multiValueHeaders,
    ...queryParameters(request.url?.split('?')[1]),
    stageVariables: null,
    requestContext: { ...ids, httpMethod: request.method, path, stage: 'local', identity } as never,
    body: body.length === 0 ? null : body.toString('base64'),
    isBase64Encoded: body.length > 0,
  };
}

/** The parameters of a query, decoded: the last value of each name, and all values. */
export function queryParameters(
  query = '',
): Pick<APIGatewayProxyEvent, 'queryStringParameters' | 'multiValueQueryStringParameters'> {
  const values = valuesByName(new URLSearchParams(query));
  if (Object.keys(values).length === 0)
    return { queryStringParameters: null, multiValueQueryStringParameters: null };
  return { queryStringParameters: lastOf(values), multiValueQueryStringParameters: values };
}

/**
 * Every value of every header: `request.headers` would silently drop a second Authorization. Not `request.headersDistinct`: in some
 * versions of Node, it throws at a second header named `constructor`.
 */
function valuesByHeader({ rawHeaders }: IncomingMessage): Record<string, string[]> {
  const values = rawHeaders.filter((_, index) => index % 2 === 1);
  return valuesByName(values.map((value, n) => [String(rawHeaders[2 * n]).toLowerCase(), value]));
}

/** All values of each name, in their order. */
export function valuesByName(pairs: Iterable<[name: string, value: string]>): Record<string, string[]> {
  const all = Object.entries(Object.groupBy(pairs, ([name]) => name));
  return Object.fromEntries(all.map(([name, given = []]) => [name, given.map(([, value]) => value)]));
}

function lastOf(values: Record<string, string[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, given]) => [name, given.at(-1) ?? '']));
}

/**
 * The resource that API Gateway routes a path to: that of an operation, the root, or `/{proxy+}` for everything else. It ignores
 * empty segments, as in `/plants/`, and prefers a path without parameters.
 */
export function gatewayRoute(
  path: string,
  routes: readonly Route[] = Object.values(ROUTES),
): Pick<APIGatewayProxyEvent, 'resource' | 'pathParameters'> {
  const proxy = path.split('/').filter(Boolean).join('/');
  if (proxy === '') return { resource: '/', pathParameters: null };
  const parameters = (route: Route) => parametersOf(route, `/${proxy}`);
  const isWhole = ({ path }: Route) => path.split('/').length === proxy.split('/').length + 1;
  const found = routes.filter((route) => isWhole(route) && parameters(route));
  const route = found.find(({ path }) => !path.includes('{')) ?? found[0];
  if (!route) return { resource: '/{proxy+}', pathParameters: { proxy } };
  const pathParameters = parameters(route) ?? {};
  const hasNone = Object.keys(pathParameters).length === 0;
  return { resource: route.path, pathParameters: hasNone ? null : pathParameters };
}
