import type { APIGatewayProxyResult } from 'aws-lambda';

/** A floor: what starting Node and the runtime costs before any work is done. */
export const handler = async (): Promise<APIGatewayProxyResult> => ({
  statusCode: 200,
  headers: { 'content-type': 'application/json' },
  body: '{"name":"Fern"}',
});
