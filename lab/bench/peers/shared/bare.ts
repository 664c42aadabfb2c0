import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { create, errorOf, Refusal } from './operation.ts';
import type { Store } from './store.ts';
import { requireToken } from './tokens.ts';

/** A handler without a framework, for any store. */
export function bareHandler(store: Store) {
  return async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    try {
      await requireToken(event.headers.Authorization, store);
      return respond(200, await create(parse(event), store));
    } catch (error) {
      return respond(400, errorOf(error));
    }
  };
}

function parse({ body, isBase64Encoded }: APIGatewayProxyEvent): unknown {
  try {
    return JSON.parse(Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8').toString());
  } catch {
    throw new Refusal(40001, 'The body must be JSON.');
  }
}

function respond(statusCode: 200 | 400, body: object): APIGatewayProxyResult {
  return { statusCode, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
