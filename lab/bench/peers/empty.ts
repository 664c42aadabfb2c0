import type { APIGatewayProxyResult } from 'aws-lambda';

/** A lower limit: the cost of starting Node and the runtime, without any work. */
export const handler = async (): Promise<APIGatewayProxyResult> => ({
  statusCode: 200,
  headers: { 'content-type': 'application/json' },
  body: '{"name":"Fern"}',
});
