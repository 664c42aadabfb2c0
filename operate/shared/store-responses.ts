import type { DynamoDBClient, ServiceInputTypes, ServiceOutputTypes } from '@aws-sdk/client-dynamodb';
import type { DeserializeMiddleware, HttpResponse } from '@smithy/types';
import { PlainError } from '../../cli/plain-error.ts';
import { faultOfResponse } from '../../lambda/store/buffering-http-handler.ts';

/** Makes a client refuse successes that are not DynamoDB's, by the function's own rule. Errors stay the SDK's to judge. */
export function refuseForeignResponses({ middlewareStack }: DynamoDBClient): void {
  const judge: DeserializeMiddleware<ServiceInputTypes, ServiceOutputTypes> = (next) => async (args) => {
    const result = await next(args);
    const response = result.response as HttpResponse;
    if (response.statusCode >= 300) return result;
    response.body = Buffer.concat(await response.body.toArray());
    const fault = faultOfResponse(response, response.body);
    if (!fault) return result;
    throw new PlainError(`The store gave a ${fault} (status ${response.statusCode}).`);
  };
  middlewareStack.addRelativeTo(judge, { relation: 'after', toMiddleware: 'deserializerMiddleware' });
}

/**
 * The items of a page of a Scan.
 * @throws PlainError if the response is not a page: taken for an empty one, it would end the Scan early
 */
export function pageItems<Item>(page: { readonly Items?: Item[]; readonly Count?: number }): Item[] {
  const { Items: found, Count: count } = page;
  if (Array.isArray(found) && found.length === count && found.every((item) => item instanceof Object))
    return found;
  throw new PlainError('The store gave a response to Scan that is not a page of items.');
}
