import ky, { HTTPError } from 'ky';

const { BASE_URL, PLANT_STORE_TOKEN } = process.env;

const response = ky.post(`${BASE_URL}/plants`, {
  headers: { authorization: `Bearer ${PLANT_STORE_TOKEN}`, 'content-type': 'application/json' },
  body: JSON.stringify({ id: JSON.rawJSON('9007199254740993'), name: 'Fern' }),
  timeout: 10_000,
  retry: {
    limit: 4,
    methods: ['post'],
    statusCodes: [400, 429, 500, 502, 503, 504],
    afterStatusCodes: [400, 429, 503],
    retryOnTimeout: true,
    // true would retry without waiting for Retry-After, so the lists decide.
    shouldRetry: ({ error: { response } }) =>
      response?.status === 400 && !response.headers.has('retry-after') ? false : undefined,
  },
});
try {
  const { name } = await response.json();
  console.info(name);
} catch (failure) {
  if (!(failure instanceof HTTPError)) throw failure;
  console.info(failure.data.error);
}
