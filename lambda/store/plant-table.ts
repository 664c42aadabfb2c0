import { type AttributeValue, ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { Failure } from '../errors.ts';
import { jsonOf } from '../json.ts';
import { MAX_ITEM_BYTES } from '../limits.ts';
import { NEW_PLANT, type NewPlant, typeOf } from '../plant.ts';
import { ConnectionError } from './buffering-http-handler.ts';
import { itemBytes } from './item-bytes.ts';
import { callStore } from './store.ts';

type Item = Readonly<Record<string, AttributeValue>>;

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
    const put = new PutCommand({
      TableName: this.#table,
      Item: { ...plant },
      ConditionExpression: 'attribute_not_exists(#id)',
      ExpressionAttributeNames: { '#id': 'id' },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    const existing = await callStore('write', () => this.#attempt(put, plant.id, signal), signal);
    if (existing && !isStoredAs(existing, plant)) throw new Failure('ID_TAKEN');
    return existing ? 'repeated' : 'created';
  }

  /** @returns the item that the id belongs to, in DynamoDB's own JSON; undefined if the plant was stored */
  async #attempt(put: PutCommand, id: NewPlant['id'], signal: AbortSignal): Promise<Item | undefined> {
    try {
      await this.#client.send(put, { abortSignal: signal });
      return undefined;
    } catch (error) {
      // Another status is a throttle or a failure, whatever the name says.
      if (!(error instanceof ConditionalCheckFailedException) || error.$metadata.httpStatusCode !== 400)
        throw error;
      // Without the item of this id it may be this plant, stored by an earlier attempt.
      if (typeOf('id').decode(error.Item?.id) !== id)
        throw new ConnectionError('damaged response', true, error);
      return error.Item;
    }
  }
}

/** Compares the properties that this version knows, by value: a newer one, live at the same time, may have stored more. */
function isStoredAs(item: Item, plant: NewPlant): boolean {
  const stored = NEW_PLANT.decode({ M: item });
  return stored !== undefined && jsonOf(stored) === jsonOf(plant);
}
