import createClient from 'openapi-fetch';
import type { paths } from './schema.d.ts';

const { BASE_URL: baseUrl, PLANT_STORE_TOKEN: token } = process.env;
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };
const digits = (_key: string, value: unknown) => (typeof value === 'bigint' ? rawJSON(`${value}`) : value);
const client = createClient<paths>({
  baseUrl,
  headers: { authorization: `Bearer ${token}` },
  bodySerializer: (body) => JSON.stringify(body, digits),
});
for (const name of ['Fern', 'Moss']) {
  const { data, error } = await client.POST('/plants', { body: { id: 9223372036854775807n, name } });
  console.info(data ? data.name : error.error);
}
