import type {
  DynamoDBClient,
  ScanCommandOutput,
  ServiceInputTypes,
  ServiceOutputTypes,
} from '@aws-sdk/client-dynamodb';
import type { DeserializeMiddleware, HttpResponse } from '@smithy/types';
import { faultOfResponse } from '../../lambda/store/buffering-http-handler.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { type Item, idOf } from './plant-line.ts';

/** Makes a client refuse successes that are not DynamoDB's, by the function's own rule. Errors stay the SDK's to judge. */
export function refuseForeignResponses({ middlewareStack }: DynamoDBClient): void {
  const judge: DeserializeMiddleware<ServiceInputTypes, ServiceOutputTypes> = (next) => async (args) => {
    const result = await next(args);
    const response = result.response as HttpResponse;
    if (response.statusCode >= 300) return result;
    response.body = Buffer.concat(await response.body.toArray());
    const fault = faultOfResponse(response, response.body);
    if (!fault) return result;
    throw new PlainError(`The store gave a ${fault.message} (status ${response.statusCode}).`);
  };
  middlewareStack.addRelativeTo(judge, { relation: 'after', toMiddleware: 'deserializerMiddleware' });
}

/**
 * The items of a page, and the key after which the next page begins.
 * @throws PlainError if the response is not a page: taken for an empty one, it would end the Scan early
 */
export function scannedPage(response: Partial<ScanCommandOutput>): { found: Item[]; next: Item | undefined } {
  const { Items: found, Count: count, LastEvaluatedKey: next } = response;
  const isPage =
    Array.isArray(found) && found.length === count && found.every((item) => item instanceof Object);
  if (!isPage || (next !== undefined && next.id?.N === undefined))
    throw new PlainError('The store gave a response to Scan that is not a page of items.');
  return { found, next };
}

/**
 * An item that the store gave for an id, if it gave one.
 * @throws PlainError if it is another
 */
export function itemWithId(item: Item | undefined, id: string): Item | undefined {
  if (item === undefined || idOf(item) === BigInt(id)) return item;
  throw new PlainError(`The store gave the item ${item.id?.N ?? 'without an id'} for the plant ${id}.`);
}
