import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { Failure } from '../answer/errors.ts';
import { MAX_ITEM_BYTES } from '../limits.ts';
import type { NewPlant } from '../request/plant.ts';
import { callStore } from './store.ts';

/** The attribute `id` with the most that DynamoDB counts for a number: 21 bytes (developer guide, "Item sizes"). */
const ID_BYTES = 'id'.length + 21;

/** The plants that were created. */
export class PlantTable {
  readonly #client: DynamoDBClient;
  readonly #table: string;

  constructor(client: DynamoDBClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * Stores a plant with one conditional PutItem. Safe to repeat: the same plant again changes nothing, another plant
   * under a taken id is refused and overwrites nothing.
   * @returns whether the plant is new, or was there already
   * @throws Failure 41301 when no item can hold it, 40901 when the id belongs to a different plant; 42901,
   * 50001 or 50301 when nothing was stored, 50401 when it may have been
   */
  async create(plant: NewPlant, signal: AbortSignal): Promise<'created' | 'repeated'> {
    if (itemBytes(plant) > MAX_ITEM_BYTES) throw new Failure('TOO_LARGE');
    const put = putUnlessDifferent(this.#table, plant);
    const outcome = await callStore('write', () => this.#attempt(put, signal), signal);
    if (outcome === 'taken') throw new Failure('ID_TAKEN');
    return outcome;
  }

  async #attempt(put: PutItemCommand, signal: AbortSignal): Promise<'created' | 'repeated' | 'taken'> {
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
 * The equality branch is what makes a create safe to repeat: without it, an attempt after a lost answer would report
 * a conflict with the plant that the lost one stored. A repeat rewrites the whole item, so an item is exactly id,
 * name and, if sent, tag.
 */
function putUnlessDifferent(table: string, { id, name, tag }: NewPlant): PutItemCommand {
  const sameTag = tag === undefined ? 'attribute_not_exists(#tag)' : '#tag = :tag';
  return new PutItemCommand({
    TableName: table,
    Item: { id: { N: String(id) }, name: { S: name }, ...(tag === undefined ? {} : { tag: { S: tag } }) },
    ConditionExpression: `attribute_not_exists(#id) OR (#name = :name AND ${sameTag})`,
    ExpressionAttributeNames: { '#id': 'id', '#name': 'name', '#tag': 'tag' },
    ExpressionAttributeValues: { ':name': { S: name }, ...(tag === undefined ? {} : { ':tag': { S: tag } }) },
    ReturnValues: 'ALL_OLD',
  });
}

function itemBytes({ name, tag }: NewPlant): number {
  const tagBytes = tag === undefined ? 0 : 'tag'.length + Buffer.byteLength(tag);
  return ID_BYTES + 'name'.length + Buffer.byteLength(name) + tagBytes;
}
