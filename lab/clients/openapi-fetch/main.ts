import createClient from 'openapi-fetch';
import type { paths } from './schema.d.ts';

const { BASE_URL: baseUrl, PLANT_STORE_TOKEN: token } = process.env;
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };
/** An id, which JSON.stringify writes with all its digits. The generated type is number. */
const idOf = (digits: string) => rawJSON(digits) as number;
for (const body of [
  { id: idOf('9007199254740993'), name: 'Fern' },
  { id: idOf('9223372036854775807'), name: 'Fern' },
  { id: idOf('9223372036854775807'), name: 'Moss' },
]) {
  const { data, error } = await client.POST('/plants', { body });
  console.info(data ? data.name : error?.error);
}
