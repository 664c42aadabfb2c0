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
import { kindOf, type NewPlant, PLANT_NAMES, PROPERTY_NAMES } from '../plant.ts';
import { callStore } from './store.ts';

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
   * @throws Failure 41301 when the plant may not fit into an item, 40901 when the id belongs to a different plant; 42901,
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
 * with the plant that the earlier attempt stored. A repeat rewrites the whole item, so an item is exactly the
 * properties that were sent.
 */
function putUnlessDifferent(table: string, plant: NewPlant): PutCommand {
  const sent = PLANT_NAMES.filter((name) => plant[name] !== undefined);
  const idIsFree = 'attribute_not_exists(#id)';
  const isSamePlant = PLANT_NAMES.map((name) =>
    sent.includes(name) ? `#${name} = :${name}` : `attribute_not_exists(#${name})`,
  ).join(' AND ');
  const put = new PutCommand({
    TableName: table,
    Item: { ...plant },
    ConditionExpression: `${idIsFree} OR (${isSamePlant})`,
    // Always a placeholder: `name` is a reserved word of DynamoDB.
    ExpressionAttributeNames: Object.fromEntries(PROPERTY_NAMES.map((name) => [`#${name}`, name])),
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
  let bytes = 0;
  for (const name of PROPERTY_NAMES) {
    const value = plant[name];
    if (value !== undefined) bytes += name.length + kindOf(name).bytes(value);
  }
  return bytes;
}
