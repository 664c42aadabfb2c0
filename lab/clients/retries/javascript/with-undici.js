import { Agent, RetryAgent, request } from 'undici';

const { BASE_URL, PLANT_STORE_TOKEN } = process.env;

const dispatcher = new RetryAgent(new Agent({ headersTimeout: 10_000, bodyTimeout: 10_000 }), {
  throwOnError: false,
  retry({ statusCode, headers }, { state: { counter } }, done) {
    const isRetryable =
      statusCode === undefined || statusCode === 429 || statusCode >= 500 || headers['retry-after'];
    if (!isRetryable || counter > 4) return done(new Error('No retry can help.'));
    setTimeout(done, Number(headers?.['retry-after'] ?? 2) * 1000 * 2 ** (counter - 1));
  },
});
const response = await request(`${BASE_URL}/plants`, {
  dispatcher,
  method: 'POST',
  headers: { authorization: `Bearer ${PLANT_STORE_TOKEN}`, 'content-type': 'application/json' },
  body: JSON.stringify({ id: JSON.rawJSON('9007199254740993'), name: 'Fern' }),
});
const { name, error } = await response.body.json();
console.info(response.statusCode === 200 ? name : error);
