import type { NewPlant } from '../../lambda/plant.ts';
import type { Subject } from './subject.ts';

/** Three faults of the service that random histories must find: parts that are put in the place of its own. */
export const BROKEN: readonly { name: string; breaks: (subject: Subject) => Partial<Subject> }[] = [
  {
    name: 'no "or the same plant"',
    breaks: ({ PlantTable }) => ({
      PlantTable: class extends PlantTable {
        constructor(...[client, table]: ConstructorParameters<typeof PlantTable>) {
          const send = (put: { input: { ConditionExpression: string } }, options: object) => {
            put.input.ConditionExpression = put.input.ConditionExpression.replace(' OR ', ' AND NOT ');
            return client.send(put as never, options);
          };
          super({ send } as never, table);
        }
      },
    }),
  },
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
];
