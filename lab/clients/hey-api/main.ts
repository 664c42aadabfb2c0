import { client } from './generated/client.gen.ts';
import { createPlant } from './generated/sdk.gen.ts';

const { BASE_URL: baseUrl, PLANT_STORE_TOKEN: auth } = process.env;
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };
const digits = (_key: string, value: unknown) => (typeof value === 'bigint' ? rawJSON(`${value}`) : value);
client.setConfig({ baseUrl, auth, bodySerializer: (body) => JSON.stringify(body, digits) });
for (const body of [
  { id: 9007199254740993n, name: 'Fern' },
  { id: 9223372036854775807n, name: 'Fern' },
  { id: 9223372036854775807n, name: 'Moss' },
]) {
  const { data, error } = await createPlant({ body });
  console.info(data ? data.name : error?.error);
}
