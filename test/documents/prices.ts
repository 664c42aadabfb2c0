/** The list prices of a million creates, in dollars and not rounded: us-east-1, without the free tier. All documents are computed from them. */
export const MILLION_CREATES = {
  'API Gateway, REST': 3.5,
  'DynamoDB, put': 0.625,
  Logs: 0.72 * 0.5,
  'X-Ray': 0.05 * 5,
  'Lambda, requests': 0.2,
  'Lambda, time': 5_000 * 0.0000133334,
  'Lambda, starts': 1_500 * 0.0000133334,
  'Data out': 0.6 * 0.09,
} as const;

export const TOTAL = Object.values(MILLION_CREATES).reduce((sum, price) => sum + price, 0);

/** A request that makes no call for a plant. */
export const REFUSED = TOTAL - MILLION_CREATES['DynamoDB, put'];

/**
 * A request at a steady 10,000 a second: of the 25,920 million a month, the gateway charges for the first 333 million, the next 667, the next
 * 19,000 and the rest a price of their own (Amazon API Gateway pricing, "REST APIs").
 */
export const GATEWAY_AT_VOLUME = (333 * 3.5 + 667 * 2.8 + 19_000 * 2.38 + 5_920 * 1.51) / 25_920;
export const TOTAL_AT_VOLUME = TOTAL - MILLION_CREATES['API Gateway, REST'] + GATEWAY_AT_VOLUME;

/** Millions of requests a month, at one a second. */
export const MONTH = 2.592;
/** Millions of requests a day, at one a second. */
export const DAY = 0.0864;
