import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { devNull } from 'node:os';
import { vi } from 'vitest';
import { listen } from '../../local/listen.ts';

/** The fields of an AWS response, as the AWS CLI prints them. */
export type Fields = Readonly<Record<string, unknown>>;

/** The result of a call, an error of AWS, or whatever else may come from its address. */
export type Reply = { readonly status: number } & (
  | { readonly result: Fields }
  | { readonly error: { readonly code: string; readonly message: string } }
  | { readonly raw: string }
);
/** The response of an operation, or a function that makes it from the parameters of the call and the caller's access key id. */
export type OperationResponse = Reply | ((input: Fields, accessKeyId: string) => Reply | Promise<Reply>);
/** The responses by the names of the operations, such as `DescribeStacks`. */
export type Responses = Readonly<Record<string, OperationResponse>>;

export const ok = (result: Fields): Reply => ({ status: 200, result });
export const error = (code: string, message: string, status = 400): Reply => ({
  status,
  error: { code, message },
});
/** A body as it is, with the media type of the protocol. */
export const raw = (status: number, body: string): Reply => ({ status, raw: body });

/**
 * How CloudFormation describes a stack.
 * @param status such as `UPDATE_COMPLETE`
 * @param account where the stack is; if absent, the description has no id
 */
export function stack(
  status: string,
  outputs: Readonly<Record<string, string>> = {},
  account?: string,
): { readonly DescribeStacks: Reply } {
  const Outputs = Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }));
  const StackId = account && `arn:aws:cloudformation:eu-west-1:${account}:stack/PlantStore/1`;
  const description = { StackName: 'PlantStore', StackStatus: status, StackId, Outputs };
  return { DescribeStacks: ok({ Stacks: [{ ...description, EnableTerminationProtection: false }] }) };
}

/** What CloudFormation returns about a stack that does not exist. */
export const noStack = (): Reply => error('ValidationError', 'Stack with id PlantStore-prod does not exist');

/** A call: the operation, its parameters, the access key id that signed it, and the Region for which. */
export interface Call {
  readonly operation: string;
  readonly input: Fields;
  readonly accessKeyId: string;
  readonly region: string;
}

/** The operations whose name is not in the request: method, and path with its parameters. */
const REST: readonly [operation: string, method: string, path: RegExp][] = [
  ['GetAccountSettings', 'GET', /^\/2016-08-19\/account-settings$/],
  ['GetAlias', 'GET', /^\/2015-03-31\/functions\/(?<FunctionName>[^/]+)\/aliases\/(?<Name>[^/]+)$/],
  ['GetFunctionConfiguration', 'GET', /^\/2015-03-31\/functions\/(?<FunctionName>[^/]+)\/configuration$/],
  ['GetFunctionConcurrency', 'GET', /^\/2019-09-30\/functions\/(?<FunctionName>[^/]+)\/concurrency$/],
  ['GetAccount', 'GET', /^\/account$/],
  ['GetRoleCredentials', 'GET', /^\/federation\/credentials$/],
  ['CreateOAuth2Token', 'POST', /^\/v1\/token$/],
  ['GetStage', 'GET', /^\/restapis\/(?<restApiId>[^/]+)\/stages\/(?<stageName>[^/]+)$/],
];

/**
 * Runs a function of the tools in this process, with a stand-in for all of AWS's APIs at one address (`AWS_ENDPOINT_URL`). It speaks the
 * protocol of each request: AWS query (CloudFormation, SNS, STS), AWS JSON (CloudWatch, DynamoDB) and REST JSON (Lambda, API Gateway, and
 * where `aws login` and `aws sso login` get credentials). An operation without a response gets an error that AWS does not have.
 * @param work gets the calls so far, and a function that gives the parameters of those of one operation
 * @param env variables to change
 */
export async function withAws<Result>(
  responses: Responses,
  work: (calls: readonly Call[], inputs: (operation: string) => Fields[]) => Promise<Result>,
  env: NodeJS.ProcessEnv = {},
): Promise<Result> {
  const calls: Call[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { operation, input, isQuery } = callOf(request, Buffer.concat(await request.toArray()).toString());
    const [scheme = '', , region = ''] = request.headers.authorization?.split('/') ?? [];
    const accessKeyId = scheme.replace(/.*Credential=/, '');
    calls.push({ operation, input, accessKeyId, region });
    const found =
      responses[operation] ?? error('NotInThisTest', `${request.method} ${request.url} ${operation}`);
    const reply = typeof found === 'function' ? await found(input, accessKeyId) : found;
    const mediaType = isQuery ? 'text/xml' : (request.headers['content-type'] ?? 'application/json');
    response.setHeader('content-type', mediaType);
    // In REST JSON, the code of an error is in a header.
    if ('error' in reply) response.setHeader('x-amzn-errortype', reply.error.code);
    response.writeHead(reply.status).end((isQuery ? xmlBody : jsonBody)(reply, operation));
  };
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    respond(request, response).catch(() => response.destroy());
  });
  // A process that is busy for five seconds, as with a large response, would lose its idle connection.
  server.keepAliveTimeout = 0;
  const variables = {
    AWS_ENDPOINT_URL: await listen(server),
    AWS_REGION: 'eu-west-1',
    AWS_PROFILE: undefined,
    AWS_DEFAULT_PROFILE: undefined,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    AWS_ACCESS_KEY_ID: 'any',
    AWS_SECRET_ACCESS_KEY: 'any',
    AWS_SESSION_TOKEN: undefined,
    // One attempt, unless a test sets more: pauses take time.
    AWS_MAX_ATTEMPTS: '1',
    AWS_ENDPOINT_URL_DYNAMODB: undefined,
    ...env,
  };
  const inputs = (operation: string) =>
    calls.filter((call) => call.operation === operation).map(({ input }) => input);
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  try {
    return await work(calls, inputs);
  } finally {
    vi.unstubAllEnvs();
    server.close();
  }
}

function callOf({ method, url = '', headers }: IncomingMessage, body: string) {
  const target = headers['x-amz-target'];
  if (target)
    return { operation: String(target).split('.')[1] ?? '', input: JSON.parse(body), isQuery: false };
  const { pathname, searchParams } = new URL(url, 'http://aws');
  for (const [operation, verb, path] of REST) {
    const found = verb === method ? path.exec(pathname) : undefined;
    if (!found) continue;
    const input = { ...found.groups, ...Object.fromEntries(searchParams), ...JSON.parse(body || '{}') };
    return { operation, input, isQuery: false };
  }
  const { Action: operation = '', ...input } = Object.fromEntries(new URLSearchParams(body));
  return { operation, input, isQuery: true };
}

function jsonBody(reply: Reply): string {
  if ('raw' in reply) return reply.raw;
  if ('result' in reply) return JSON.stringify(reply.result);
  return JSON.stringify({ __type: `com.amazonaws#${reply.error.code}`, message: reply.error.message });
}

/** AWS query: XML; the elements of a list are called `member`. */
function xmlBody(reply: Reply, operation: string): string {
  if ('raw' in reply) return reply.raw;
  if ('result' in reply) return xml({ [`${operation}Response`]: { [`${operation}Result`]: reply.result } });
  const { code: Code, message: Message } = reply.error;
  return xml({ ErrorResponse: { Error: { Type: 'Sender', Code, Message } } });
}

function xml(value: unknown): string {
  if (Array.isArray(value)) return value.map((each) => `<member>${xml(each)}</member>`).join('');
  if (value instanceof Object)
    return Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .map(([name, each]) => `<${name}>${xml(each)}</${name}>`)
      .join('');
  return String(value ?? '').replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
