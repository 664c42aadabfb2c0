import axios from 'axios';
import axiosRetry, { exponentialDelay } from 'axios-retry';

const { BASE_URL, PLANT_STORE_TOKEN } = process.env;

const client = axios.create({ baseURL: BASE_URL, timeout: 10_000 });
axiosRetry(client, {
  retries: 4,
  retryCondition: ({ response }) =>
    response === undefined ||
    response.status < 300 ||
    'retry-after' in response.headers ||
    response.status === 429 ||
    response.status >= 500,
  retryDelay: (attempt, error) => exponentialDelay(attempt, error, 1000),
  shouldResetTimeout: true,
});
const headers = { Authorization: `Bearer ${PLANT_STORE_TOKEN}`, 'Content-Type': 'application/json' };
const body = JSON.stringify({ id: JSON.rawJSON('9007199254740993'), name: 'Fern' });
const { data } = await client.post('/plants', body, { headers }).catch((error) => error.response);
console.info(data.error ?? data.name);
