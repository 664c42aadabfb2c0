import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyResult } from 'aws-lambda';

/**
 * A request and its response on one line, for a person. The query is left out: it may have anything.
 * @example 'POST /plants 200'
 * @example 'POST /plants 40901 The id belongs to a different plant; choose another id.'
 */
export function requestLine(
  { method, url }: IncomingMessage,
  { statusCode, body }: APIGatewayProxyResult,
): string {
  const path = String(url).split('?', 1);
  if (statusCode !== 400) return `${method} ${path} ${statusCode}`;
  const { error, message } = JSON.parse(body);
  return `${method} ${path} ${error} ${message}`;
}
