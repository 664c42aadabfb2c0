import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { plantWith, SENT, WHOLE } from '../../test/support/properties.ts';
import { csvRecords } from './csv.ts';
import { ndjsonRecords } from './ndjson.ts';

// A property that is added to openapi.yaml must be read from files, too; CONTRIBUTING.md has the recipe.

describe('npm run import', () => {
  const chunks = (text: string) => Readable.from([Buffer.from(text)]) as AsyncIterable<Buffer>;
  const expected = (name: string) => (name === 'id' ? BigInt(Number(WHOLE.id)) : WHOLE[name]);

  test.each(SENT)('tools/import/csv.ts reads %s', async (name) => {
    const plant = plantWith(name);
    const csv = `${Object.keys(plant).join()}\n"${Object.values(plant).join('","')}"\n`;
    const { value: record } = await csvRecords(chunks(csv)).next();
    expect(record?.content).toHaveProperty(['plant', name], expected(name));
  });

  test.each(SENT)('tools/import/ndjson.ts reads %s', async (name) => {
    const line = JSON.stringify(plantWith(name));
    const { value: record } = await ndjsonRecords(chunks(line)).next();
    expect(record?.content).toHaveProperty(['plant', name], expected(name));
  });
});
