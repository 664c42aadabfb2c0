// `npm run generate` writes this file from contract/errors.yaml.

/** Every error that a client can receive, from the function, from the gateway in front of it or from the local stand-in. */
export const ERRORS = {
  REFUSED_BY_GATEWAY: {
    error: 40000,
    message: 'The request was refused before it reached the service; check its URL, method and headers.',
  },
  INVALID_JSON: {
    error: 40001,
    message:
      'The body must be one JSON text in UTF-8 without a byte order mark, and must not repeat a property with conflicting values.',
  },
  INVALID_PLANT: { error: 40002, message: 'The body must be a JSON object with the properties of a plant.' },
  NO_TOKEN: {
    error: 40101,
    message: 'Send an access token in the Authorization header: Bearer TOKEN.',
    challenge: 'Bearer realm="plant-store"',
  },
  INVALID_TOKEN: {
    error: 40102,
    message: 'The access token is not valid; check it for typos or ask the operator for a new one.',
    challenge: 'Bearer realm="plant-store", error="invalid_token"',
  },
  REFUSED_BY_FIREWALL: {
    error: 40301,
    message: 'The firewall refused the request; slow down, and ask the operator if this continues.',
  },
  NO_SUCH_OPERATION: { error: 40401, message: 'There is no such operation; the service has POST /plants.' },
  ID_TAKEN: { error: 40901, message: 'The id belongs to a different plant; choose another id.' },
  TOO_LARGE: { error: 41301, message: 'The body must be at most 1 MiB, and the plant at most about 400 KB.' },
  NOT_JSON: {
    error: 41501,
    message: 'Send the body as application/json, without a content coding such as gzip.',
  },
  TOO_MANY_REQUESTS: { error: 42901, message: 'Too many requests; retry after one second.', retryAfter: 1 },
  SERVICE_FAULT: {
    error: 50001,
    message:
      'The service has a fault that its operators must fix; tell them the x-request-id of this response.',
  },
  UNAVAILABLE: {
    error: 50301,
    message: 'The service is temporarily unavailable and nothing was stored; retry after two seconds.',
    retryAfter: 2,
  },
  NO_RESPONSE: {
    error: 50401,
    message: 'No usable response in time; the request may have been carried out, and retrying is safe.',
    retryAfter: 2,
  },
} as const;
