import type { ScanCommandOutput } from '@aws-sdk/client-dynamodb';
import { notAPage, pageItems } from '../../infra/deployed/store-responses.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { type Item, idOf } from './plant-line.ts';

/**
 * The items of a page, and the key after which the next page begins.
 * @throws PlainError if the response is not a page
 */
export function scannedPage(response: Partial<ScanCommandOutput>): { found: Item[]; next: Item | undefined } {
  const { LastEvaluatedKey: next } = response;
  if (next !== undefined && next.id?.N === undefined) throw notAPage();
  return { found: pageItems(response), next };
}

/**
 * An item that the store gave for an id, if it gave one.
 * @throws PlainError if it is another
 */
export function itemWithId(item: Item | undefined, id: string): Item | undefined {
  if (item === undefined || idOf(item) === BigInt(id)) return item;
  throw new PlainError(`The store gave the item ${item.id?.N ?? 'without an id'} for the plant ${id}.`);
}
