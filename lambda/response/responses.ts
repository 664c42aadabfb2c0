import type { APIGatewayProxyResult } from 'aws-lambda';
import type { PublishedError } from '../errors.ts';
import { jsonOf } from '../json.ts';
import { PLANT_NAMES, type Plant } from '../plant.ts';

/** The headers of every response. `no-store`: no cache may keep or share a response. */
export const RESPONSE_HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

/** The 200 response. The body has no line break at its end: clients compare, log and sign the body. */
export function resultResponse(result: object, requestId: string): APIGatewayProxyResult {
  return {
    statusCode: 200,
    headers: { ...RESPONSE_HEADERS, 'x-request-id': requestId },
    body: jsonOf(result),
  };
}

/** What a response has of a plant: only the declared properties, whatever else the object has. */
export function returned(plant: Plant): object {
  return Object.fromEntries(PLANT_NAMES.map((name) => [name, plant[name]]));
}

/**
 * The 400 response.
 * @param message replaces the published sentence with a more exact one
 */
export function errorResponse(
  published: PublishedError,
  requestId: string,
  message: string = published.message,
): APIGatewayProxyResult {
  const { error, retryAfter, challenge } = published;
  return {
    statusCode: 400,
    headers: {
      ...RESPONSE_HEADERS,
      'x-request-id': requestId,
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
      ...(challenge === undefined ? {} : { 'www-authenticate': challenge }),
    },
    body: JSON.stringify({ error, message }),
  };
}
