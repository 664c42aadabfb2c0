import got, { HTTPError } from 'got';

const { BASE_URL, PLANT_STORE_TOKEN } = process.env;

const response = got.post(`${BASE_URL}/plants`, {
  headers: { authorization: `Bearer ${PLANT_STORE_TOKEN}`, 'content-type': 'application/json' },
  body: JSON.stringify({ id: JSON.rawJSON('9007199254740993'), name: 'Fern' }),
  timeout: { request: 10_000 },
  retry: {
    limit: 4,
    methods: ['POST'],
    // calculateDelay is called only for these; 0 is no retry.
    statusCodes: [400, 429, 500, 502, 503, 504],
    // The error of a body that is shorter than its Content-Length.
    errorCodes: [...got.defaults.options.retry.errorCodes, 'ERR_HTTP_CONTENT_LENGTH_MISMATCH'],
    calculateDelay: ({ error: { response }, retryAfter, computedValue }) =>
      response?.statusCode === 400 && retryAfter === undefined ? 0 : computedValue,
  },
});
try {
  const { name } = await response.json();
  console.info(name);
} catch (failure) {
  if (!(failure instanceof HTTPError)) throw failure;
  console.info(JSON.parse(failure.response.body).error);
}
