import type { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { NewPlant as ClientPlant } from '../../client/src/index.ts';
import type { NewPlant } from '../../lambda/plant.ts';
import type { Variant } from './subject.ts';

/** Faults of the service that the histories must find. */
export const VARIANTS: readonly Variant[] = [
  { name: 'no equality branch', breaks: puts((condition) => condition.replace(' OR ', ' AND NOT ')) },
  { name: 'a miss is remembered', breaks: staleLookups('unknown token', 'found') },
  {
    name: '200 before the write',
    breaks: ({ PlantTable }) => ({
      PlantTable: class extends PlantTable {
        override async create(plant: NewPlant, signal: AbortSignal) {
          super.create(plant, signal).catch(() => undefined);
          return 'created' as const;
        }
      },
    }),
  },
  {
    name: 'no abort',
    breaks: ({ AccessTokenTable, PlantTable }) => ({
      AccessTokenTable: class extends AccessTokenTable {
        override find(token: string) {
          return super.find(token, new AbortController().signal);
        }
      },
      PlantTable: class extends PlantTable {
        override create(plant: NewPlant) {
          return super.create(plant, new AbortController().signal);
        }
      },
    }),
  },
  {
    name: 'a put without a condition',
    breaks: puts((condition) => `attribute_exists(#id) OR ${condition}`),
  },
  {
    name: 'a lost write is forgotten',
    breaks: ({ PlantTable, Failure }) => ({
      PlantTable: class extends PlantTable {
        override create(plant: NewPlant, signal: AbortSignal) {
          return super.create(plant, signal).catch((failure) => {
            throw failure.published.error === 50401 ? new Failure('UNAVAILABLE') : failure;
          });
        }
      },
    }),
  },
  { name: 'a revoked token is remembered too long', breaks: staleLookups('found', 'unknown token') },
  { name: 'an expired token is accepted from memory', breaks: staleLookups('found', 'expired token') },
  {
    name: 'the client says that nothing was stored',
    breaks: ({ createPlantStore }) => ({
      createPlantStore: (options) => {
        const store = createPlantStore(options);
        const createPlant = (plant: ClientPlant) =>
          store.createPlant(plant).catch((error) => {
            throw Object.assign(error, { mayBeStored: false });
          });
        return { ...store, createPlant };
      },
    }),
  },
];

/** Puts with another condition. */
function puts(change: (condition: string) => string): Variant['breaks'] {
  const changed = new WeakSet<PutCommand>();
  return ({ PlantTable }) => ({
    PlantTable: class extends PlantTable {
      constructor(client: DynamoDBDocumentClient, table: string) {
        const send = (put: PutCommand, options: object) => {
          // The attempts of one create send the same command.
          if (!changed.has(put))
            put.input.ConditionExpression = change(String(put.input.ConditionExpression));
          changed.add(put);
          return client.send(put, options);
        };
        super({ send } as DynamoDBDocumentClient, table);
      }
    },
  });
}

/** Lookups that end as before for a minute more, although they should now end in another way. */
function staleLookups(before: string, now: string): Variant['breaks'] {
  return ({ AccessTokenTable }) => ({
    AccessTokenTable: class extends AccessTokenTable {
      readonly #clock: () => number;
      readonly #earlier = new Map<string, { at: number; end: string; lookup: Promise<string> }>();

      constructor(...parts: ConstructorParameters<typeof AccessTokenTable>) {
        super(...parts);
        this.#clock = parts[2]?.now ?? Date.now;
      }

      override async find(token: string, signal: AbortSignal) {
        const at = this.#clock();
        const lookup = super.find(token, signal);
        const end = await lookup.then(
          () => 'found',
          ({ fault }) => fault,
        );
        const earlier = this.#earlier.get(token);
        if (earlier?.end === before && end === now && at - earlier.at < 60_000) return earlier.lookup;
        this.#earlier.set(token, { at, end, lookup });
        return lookup;
      }
    },
  });
}
