import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { answer, errorOf, plantOf, Refusal } from './answers.ts';
import { faultOf, type NewPlant } from './plant.ts';
import type { Store } from './store.ts';
import { requireToken } from './tokens.ts';

/** A handler without any framework, over a store of the peer's choice. */
export function bareHandler(store: Store) {
  return async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    try {
      await requireToken(event.headers.Authorization, store);
      const plant = parse(event);
      if (!(await store.createPlant(plant))) throw new Refusal(40901, 'The id belongs to a different plant.');
      return answer(200, plantOf(plant));
    } catch (error) {
      return answer(400, errorOf(error));
    }
  };
}

function parse(event: APIGatewayProxyEvent): NewPlant {
  const text = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8').toString();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal(40001, 'The body must be JSON.');
  }
  const fault = faultOf(value);
  if (fault) throw new Refusal(40002, fault);
  return value as NewPlant;
}
