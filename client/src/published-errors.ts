// `npm run generate` writes this file from contract/errors.yaml.

/**
 * An error number of this version of the contract; a later version of the service may add some.
 * - `40000` the gateway refused the request before the service saw it. Check URL, method and headers.
 * - `40001` the body is not one UTF-8 JSON text, is nested too deep, or repeats a property with conflicting values. Build the body with a JSON library, as UTF-8. The message names the first wrong byte or character.
 * - `40002` a property is missing or wrong; the message names it and what it must be. Correct the property that the message names. Leave out an optional one that the plant does not have: `null` is refused.
 * - `40101` the request has no bearer token. Send `Authorization: Bearer TOKEN`.
 * - `40102` the bearer token is malformed, unknown, revoked or expired. Look for a cut or mistyped token; otherwise ask the operator for a new one.
 * - `40301` a web application firewall, where one is attached, refused the request. Wait some minutes and send less; then ask the operator.
 * - `40401` no such operation (wrong method or path). Use a method and a path that the message names, with exactly one slash after `BASE_URL`.
 * - `40901` the id belongs to a different plant; nothing was overwritten. Choose another id. This holds after a timeout, too: if your plant had been stored, you would get 200.
 * - `41301` the body is over 1 MiB, or the plant is over the 400 KB of a DynamoDB item. Shorten its texts.
 * - `41501` the Content-Type is present and not JSON, or the body has a content coding. Send `Content-Type: application/json`, and no compressed body.
 * - `42901` too many requests: the gateway or the table is throttling. Retried.
 * - `50001` a fault in the service, which its operators must fix. Send the operator the `x-request-id`.
 * - `50301` a table cannot be reached or does not respond; nothing was stored. Retried.
 * - `50401` no usable response in time; the request may have been carried out; retrying is safe. Retried.
 */
export type PublishedErrorNumber =
  | 40000
  | 40001
  | 40002
  | 40101
  | 40102
  | 40301
  | 40401
  | 40901
  | 41301
  | 41501
  | 42901
  | 50001
  | 50301
  | 50401;

/** Seconds to wait before a retry, by the HTTP status of an error: so the table has numbers of later versions, too. */
export const RETRY_AFTER: Readonly<Record<number, number>> = { '429': 1, '503': 2, '504': 2 };
