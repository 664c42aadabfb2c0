import { pass } from '../support/store-behaviors.ts';
import { DAMAGES, SILENCES } from './broken-responses.ts';
import { after, dynamoError, type Fault, foreign, HTML, instead } from './fault.ts';

const V2012 = 'com.amazonaws.dynamodb.v20120810#';
const CORAL = 'com.amazon.coral.service#';
const ARN = 'arn:aws:dynamodb:eu-central-1:123456789012:table/Plants';
const ROLE = 'arn:aws:sts::123456789012:assumed-role/plants/function';
const HINTS = { 'retry-after': '30', 'x-amz-retry-after': '30000' };

/** Every throttling error of DynamoDB, with and without a hint to wait. */
const THROTTLES: Fault[] = Object.entries({
  [`${V2012}ProvisionedThroughputExceededException`]:
    'The level of configured provisioned throughput for the table was exceeded.',
  [`${V2012}RequestLimitExceeded`]: 'Throughput exceeds the current throughput limit.',
  'com.amazon.coral.availability#ThrottlingException': 'Rate of requests exceeds the allowed throughput.',
  [`${V2012}TransactionConflictException`]: 'Transaction is ongoing for the item.',
  [`${V2012}ReplicatedWriteConflictException`]: 'The item is being modified by a request in another Region.',
  [`${V2012}ThrottlingException`]: 'Throughput exceeds the maximum OnDemandThroughput.',
}).flatMap(([type, message]) => {
  const [namespace, word] = type.split('#');
  const name = `${word} of ${namespace}`;
  const throttlingReasons = [{ reason: 'TableWriteMaxOnDemandThroughputExceeded', resource: ARN }];
  const throttled = dynamoError(400, type, message, { throttlingReasons });
  const hinted = { ...throttled, headers: { ...throttled.headers, ...HINTS } };
  return [
    { name, kind: 'throttled', behavior: instead(throttled) },
    { name: `${name} with a hint to wait 30 s`, kind: 'throttled', behavior: instead(hinted) },
  ];
});

/** Throttles that only the status tells. */
const STATUS_429: Fault[] = Object.entries({
  '429 without a body': foreign(429, 'text/plain', ''),
  '429 in HTML': foreign(429, 'text/html', HTML),
  '429 in JSON without a name': foreign(429, 'application/json', '{"message":"Too Many Requests"}'),
  '429 in JSON that is no object': foreign(429, 'application/json', 'null'),
  '429 with the name of another error': dynamoError(429, `${CORAL}AccessDeniedException`, 'Rate exceeded'),
  '429 with a wrong checksum': { ...foreign(429, 'text/plain', 'slow'), headers: { 'x-amz-crc32': '7' } },
}).map(([name, response]) => ({ name, kind: 'throttled', behavior: instead(response) }));

/** The store waited in vain for the whole request. */
const TIMEOUTS: Fault[] = ['RequestTimeout', 'RequestTimeoutException'].flatMap((type) =>
  [408, 400].map((status): Fault => {
    const message =
      'Your socket connection to the server was not read from or written to within the timeout period.';
    const behavior = instead(dynamoError(status, `${CORAL}${type}`, message));
    return { name: `${type} with status ${status}`, kind: 'unknown', behavior };
  }),
);

/** Errors that an operator must fix. */
const OURS: Fault[] = Object.entries({
  [`${CORAL}AccessDeniedException`]: `User: ${ROLE} is not authorized to perform: dynamodb:PutItem on resource: ${ARN}`,
  [`${V2012}ResourceNotFoundException`]: 'Requested resource not found',
  [`${CORAL}UnrecognizedClientException`]: 'The security token included in the request is invalid.',
  [`${CORAL}ExpiredTokenException`]: 'The security token included in the request is expired',
  [`${CORAL}InvalidSignatureException`]: 'The request signature we calculated does not match',
  [`${CORAL}MissingAuthenticationTokenException`]: 'Request is missing Authentication Token',
  'com.amazon.coral.validate#ValidationException': 'One or more parameter values were invalid',
}).map(([type, message]) => {
  return { name: `${type.split('#')[1]}`, kind: 'ours', behavior: instead(dynamoError(400, type, message)) };
});

const INTERNAL = dynamoError(500, `${V2012}InternalServerError`, 'Internal server error');
const UNAVAILABLE = dynamoError(503, `${CORAL}ServiceUnavailableException`, 'Service is unavailable');

/** Statuses that are no answer, of DynamoDB and of a proxy. */
const STATUSES: Fault[] = Object.entries({
  '500 before the write': instead(INTERNAL),
  '500 after the write': after(() => INTERNAL),
  '503 before the write': instead(UNAVAILABLE),
  '503 after the write': after(() => UNAVAILABLE),
  '500 without a body': instead(foreign(500, 'text/plain', '')),
  '408 in HTML': instead(foreign(408, 'text/html', HTML)),
  '408 with another name': instead(dynamoError(408, `${CORAL}AccessDeniedException`, 'Timeout')),
  '502 in HTML': instead(foreign(502, 'text/html', HTML)),
  '504 in JSON': instead(foreign(504, 'application/json', '{"message":null}')),
}).map(([name, behavior]) => ({ name, kind: 'unknown', behavior }));

/** Every fault of the matrix. */
export const FAULTS: readonly Fault[] = [
  { name: 'reset on connect', kind: 'unreachable', behavior: 'reset on connect' },
  { name: 'hang on connect', kind: 'unreachable', behavior: 'hang on connect' },
  {
    name: 'slow, but in time',
    kind: 'harmless',
    behavior: async (exchange) => {
      await exchange.wait(350);
      await pass(exchange);
    },
  },
  ...SILENCES,
  ...DAMAGES,
  ...STATUSES,
  ...TIMEOUTS,
  ...THROTTLES,
  ...STATUS_429,
  ...OURS,
];

/** Finds a fault by its name. @throws Error if there is none */
export function fault(name: string): Fault {
  const found = FAULTS.find((each) => each.name === name);
  if (!found) throw new Error(`There is no fault "${name}".`);
  return found;
}
