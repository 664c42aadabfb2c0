import type { APIGatewayProxyResult } from 'aws-lambda';
import type { PublishedError } from '../errors.ts';
import { type Plant, TEXT_NAMES } from '../plant.ts';

/** The headers of every answer. `no-store`: no cache may keep or share an answer. */
export const ANSWER_HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;

/**
 * The 200 answer: only the declared fields of a Plant, whatever else the object has. The body has no line break at its
 * end: clients compare, log and sign the body.
 */
export function plantAnswer(plant: Plant, requestId: string): APIGatewayProxyResult {
  return {
    statusCode: 200,
    headers: { ...ANSWER_HEADERS, 'x-request-id': requestId },
    body: JSON.stringify(plant, [...TEXT_NAMES]),
  };
}

/**
 * The 400 answer.
 * @param message replaces the published sentence with a more exact one
 */
export function errorAnswer(
  published: PublishedError,
  requestId: string,
  message: string = published.message,
): APIGatewayProxyResult {
  const { error, retryAfter, challenge } = published;
  return {
    statusCode: 400,
    headers: {
      ...ANSWER_HEADERS,
      'x-request-id': requestId,
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
      ...(challenge === undefined ? {} : { 'www-authenticate': challenge }),
    },
    body: JSON.stringify({ error, message }),
  };
}
