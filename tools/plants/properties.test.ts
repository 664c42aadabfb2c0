import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import { LOCAL_TABLES } from '../../local/local-tables.ts';
import { plantWith, SENT } from '../../test/support/properties.ts';
import { plantEvent, startTestService } from '../../test/support/test-service.ts';
import { plantLine } from './plant-line.ts';

// A property that is added to openapi.yaml must be exported, too; CONTRIBUTING.md has the recipe. A plant that is deleted is
// printed with the same function.

describe('npm run plants', async () => {
  const service = await startTestService();
  afterAll(() => service.close());

  test.each(SENT)(
    'tools/plants/plant-line.ts writes %s of a stored plant, and of no other item',
    async (name) => {
      const line = JSON.stringify({ ...plantWith(name), id: SENT.indexOf(name) });
      await service.handler(plantEvent(service.token, line));
      const Key = { id: { N: `${SENT.indexOf(name)}` } };
      const get = new GetItemCommand({ TableName: LOCAL_TABLES.plants, Key, ConsistentRead: true });
      const { Item: item = {} } = await service.client.send(get);
      expect(plantLine(item)).toBe(line);
      for (const other of [{ L: [] }, null])
        expect(plantLine({ ...item, [name]: other as never })).toBeUndefined();
    },
  );
});
