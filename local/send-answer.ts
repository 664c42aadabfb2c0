import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { APIGatewayProxyResult } from 'aws-lambda';

/** Sends an answer. If the response has already started, closes the connection instead. */
export function sendAnswer(response: ServerResponse, answer: APIGatewayProxyResult): void {
  if (response.headersSent) return void response.destroy();
  const body = Buffer.from(answer.body);
  // A 204 must not have the header (RFC 9110 §8.6).
  const length = answer.statusCode === 204 ? {} : { 'content-length': body.length };
  response.writeHead(answer.statusCode, { ...renamed(answer.headers), ...length });
  response.end(body);
}

/** Renames WWW-Authenticate as API Gateway does, so that no client of this service depends on the original name. */
function renamed(headers: APIGatewayProxyResult['headers']): OutgoingHttpHeaders {
  const { 'www-authenticate': challenge, ...rest } = (headers ?? {}) as OutgoingHttpHeaders;
  return challenge === undefined ? rest : { ...rest, 'x-amzn-remapped-www-authenticate': challenge };
}
