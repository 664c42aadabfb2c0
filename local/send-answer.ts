import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { APIGatewayProxyResult } from 'aws-lambda';

/** Sends an answer whole, unless the response has been begun already: then only the connection can be ended. */
export function sendAnswer(response: ServerResponse, answer: APIGatewayProxyResult): void {
  if (response.headersSent) return void response.destroy();
  const body = Buffer.from(answer.body);
  response.writeHead(answer.statusCode, { ...renamed(answer.headers), 'content-length': body.length });
  response.end(body);
}

/** API Gateway renames this header, so nothing may come to depend on it here. */
function renamed(headers: APIGatewayProxyResult['headers']): OutgoingHttpHeaders {
  const { 'www-authenticate': challenge, ...rest } = (headers ?? {}) as OutgoingHttpHeaders;
  return challenge === undefined ? rest : { ...rest, 'x-amzn-remapped-www-authenticate': challenge };
}
