import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  PutCommand,
  type PutCommandInput,
  type PutCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import type { DeserializeMiddleware } from '@smithy/types';
import { Failure } from '../errors.ts';
import { MAX_ITEM_BYTES } from '../limits.ts';
import { type NewPlant, TEXT_NAMES } from '../plant.ts';
import { callStore } from './store.ts';

/**
 * The largest size of the attribute `id`. A number takes about one byte for two digits, and one more (DynamoDB Developer Guide, "DynamoDB
 * item sizes and formats"): 11 for the 19 digits of an int64. "About" leaves room for a sign, hence 12.
 */
const ID_BYTES = 'id'.length + 12;

/** The table of plants. */
export class PlantTable {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * Stores a plant with one conditional PutItem. Safe to repeat: the same plant again changes nothing, another plant
   * under a taken id is refused and overwrites nothing.
   * @returns whether the plant is new or was already stored
   * @throws Failure 41301 when no item can hold the plant, 40901 when the id belongs to a different plant; 42901,
   * 50001 or 50301 when nothing was stored, 50401 when it may have been
   */
  async create(plant: NewPlant, signal: AbortSignal): Promise<'created' | 'repeated'> {
    if (itemBytes(plant) > MAX_ITEM_BYTES) throw new Failure('TOO_LARGE');
    const put = putUnlessDifferent(this.#table, plant);
    const outcome = await callStore('write', () => this.#attempt(put, signal), signal);
    if (outcome === 'taken') throw new Failure('ID_TAKEN');
    return outcome;
  }

  async #attempt(put: PutCommand, signal: AbortSignal): Promise<'created' | 'repeated' | 'taken'> {
    try {
      const { Attributes: before } = await this.#client.send(put, { abortSignal: signal });
      return before ? 'repeated' : 'created';
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return 'taken';
      throw error;
    }
  }
}

/**
 * The second clause makes a create safe to repeat: without it, an attempt after a lost response would report a conflict
 * with the plant that the earlier attempt stored. A repeat rewrites the whole item, so an item is exactly the id and the
 * texts that were sent.
 */
function putUnlessDifferent(table: string, plant: NewPlant): PutCommand {
  const sent = TEXT_NAMES.filter((name) => plant[name] !== undefined);
  const idIsFree = 'attribute_not_exists(#id)';
  const isSamePlant = TEXT_NAMES.map((name) =>
    sent.includes(name) ? `#${name} = :${name}` : `attribute_not_exists(#${name})`,
  ).join(' AND ');
  const put = new PutCommand({
    TableName: table,
    Item: { id: plant.id, ...Object.fromEntries(sent.map((name) => [name, plant[name]])) },
    ConditionExpression: `${idIsFree} OR (${isSamePlant})`,
    // Always a placeholder: `name` is a reserved word of DynamoDB.
    ExpressionAttributeNames: Object.fromEntries(['id', ...TEXT_NAMES].map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(sent.map((name) => [`:${name}`, plant[name]])),
    ReturnValues: 'ALL_OLD',
  });
  hideReplacedItem(put);
  return put;
}

/**
 * Hides the replaced item's attributes from lib-dynamodb, which would throw on one that it cannot read, although the
 * plant is stored. Only whether there was such an item matters.
 */
function hideReplacedItem({ middlewareStack }: PutCommand): void {
  const hide: DeserializeMiddleware<PutCommandInput, PutCommandOutput> = (next) => async (args) => {
    const result = await next(args);
    if (result.output?.Attributes) result.output.Attributes = {};
    return result;
  };
  middlewareStack.addRelativeTo(hide, { relation: 'after', toMiddleware: 'DocumentUnmarshall' });
}

function itemBytes(plant: NewPlant): number {
  const sizes = TEXT_NAMES.map((name) => {
    const text = plant[name];
    return text === undefined ? 0 : name.length + Buffer.byteLength(text);
  });
  return sizes.reduce((sum, size) => sum + size, ID_BYTES);
}
