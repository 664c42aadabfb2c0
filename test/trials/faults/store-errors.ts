import { after, dynamoError, type Fault, foreign, HTML, instead } from './fault.ts';

const V2012 = 'com.amazonaws.dynamodb.v20120810#';
const CORAL = 'com.amazon.coral.service#';
const ARN = 'arn:aws:dynamodb:eu-central-1:123456789012:table/Plants';
const ROLE = 'arn:aws:sts::123456789012:assumed-role/plants/function';
const HINTS = { 'retry-after': '30', 'x-amz-retry-after': '30000' };

function throttle(type: string, message: string): Fault[] {
  const [namespace, word] = type.split('#');
  const short = `${word} of ${namespace}`;
  const reasons = [{ reason: 'TableWriteMaxOnDemandThroughputExceeded', resource: ARN }];
  const answer = dynamoError(400, type, message, { throttlingReasons: reasons });
  const hinted = { ...answer, headers: { ...answer.headers, ...HINTS } };
  return [
    { name: short, kind: 'throttled', act: instead(answer) },
    { name: `${short} with a hint to wait 30 s`, kind: 'throttled', act: instead(hinted) },
  ];
}

/** Every throttling error of DynamoDB, with and without a hint to wait. */
export const THROTTLES: Fault[] = [
  ...throttle(
    `${V2012}ProvisionedThroughputExceededException`,
    'The level of configured provisioned throughput for the table was exceeded.',
  ),
  ...throttle(`${V2012}RequestLimitExceeded`, 'Throughput exceeds the current throughput limit.'),
  ...throttle(
    'com.amazon.coral.availability#ThrottlingException',
    'Rate of requests exceeds the allowed throughput.',
  ),
  ...throttle(`${V2012}ThrottlingException`, 'Throughput exceeds the maximum OnDemandThroughput.'),
];

function ours(type: string, message: string): Fault {
  return { name: `${type.split('#')[1]}`, kind: 'ours', act: instead(dynamoError(400, type, message)) };
}

/** Errors that an operator must fix. */
export const OURS: Fault[] = [
  ours(
    `${CORAL}AccessDeniedException`,
    `User: ${ROLE} is not authorized to perform: dynamodb:PutItem on resource: ${ARN}`,
  ),
  ours(`${V2012}ResourceNotFoundException`, 'Requested resource not found'),
  ours(`${CORAL}UnrecognizedClientException`, 'The security token included in the request is invalid.'),
  ours(`${CORAL}ExpiredTokenException`, 'The security token included in the request is expired'),
  ours(`${CORAL}InvalidSignatureException`, 'The request signature we calculated does not match'),
  ours(`${CORAL}MissingAuthenticationTokenException`, 'Request is missing Authentication Token'),
  ours('com.amazon.coral.validate#ValidationException', 'One or more parameter values were invalid'),
];

const INTERNAL = dynamoError(500, `${V2012}InternalServerError`, 'Internal server error');
const UNAVAILABLE = dynamoError(503, `${CORAL}ServiceUnavailableException`, 'Service is unavailable');

/** Server errors, of DynamoDB and of a proxy. */
export const ERRORS_5XX: Fault[] = (
  [
    ['500 before the write', instead(INTERNAL)],
    ['500 after the write', after(() => INTERNAL)],
    ['503 before the write', instead(UNAVAILABLE)],
    ['503 after the write', after(() => UNAVAILABLE)],
    ['500 without a body', instead(foreign(500, 'text/plain', ''))],
    ['502 in HTML', instead(foreign(502, 'text/html', HTML))],
    ['504 in JSON', instead(foreign(504, 'application/json', '{"message":null}'))],
  ] as const
).map(([name, act]) => ({ name, kind: 'unknown', act }));
