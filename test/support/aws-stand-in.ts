import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A value of an AWS answer, as the AWS CLI prints it. */
type Value = string | number | boolean | undefined | readonly Value[] | { readonly [key: string]: Value };
export type Fields = { readonly [key: string]: Value };

/** An error of AWS: its code, its message and its HTTP status, which is 400 unless given. */
export interface AwsError {
  readonly code: string;
  readonly message: string;
  readonly status?: number;
}

export type Reply = { readonly is: Fields } | { readonly error: AwsError };
/** How an operation answers; a function sees the parameters of the call. */
export type Answer = Reply | ((input: Fields) => Reply);
/** The answers by the names of the operations, such as `DescribeStacks`. */
export type Answers = Readonly<Record<string, Answer>>;

/** A call: the operation, and its parameters. */
interface Call {
  readonly operation: string;
  readonly input: Fields;
}

/** The operations whose name is not in the request: method, and path with its parameters. */
const REST: readonly [operation: string, method: string, path: RegExp][] = [
  ['GetAccountSettings', 'GET', /^\/2016-08-19\/account-settings$/],
  ['GetAlias', 'GET', /^\/2015-03-31\/functions\/(?<FunctionName>[^/]+)\/aliases\/(?<Name>[^/]+)$/],
  ['UpdateAlias', 'PUT', /^\/2015-03-31\/functions\/(?<FunctionName>[^/]+)\/aliases\/(?<Name>[^/]+)$/],
  ['ListVersionsByFunction', 'GET', /^\/2015-03-31\/functions\/(?<FunctionName>[^/]+)\/versions$/],
  ['GetAccount', 'GET', /^\/account$/],
];

/**
 * Stands in for all of AWS's APIs at one address (`AWS_ENDPOINT_URL`), and speaks the protocol of each request: AWS query
 * (CloudFormation, SNS, STS), AWS JSON (SSM, CodeDeploy, CloudWatch, DynamoDB) and REST JSON (Lambda, API Gateway).
 * An operation without an answer gets an error that AWS does not have.
 */
export async function startAws(answers: Answers): Promise<{
  /** The environment of a process that calls it. */
  readonly env: NodeJS.ProcessEnv;
  /** The calls so far, with the Region that each was signed for. */
  readonly calls: readonly (Call & { readonly region: string })[];
  close(): void;
}> {
  const calls: (Call & { region: string })[] = [];
  const server = createServer((request, response) => {
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    request.toArray().then(
      (chunks) => {
        const protocol = protocolOf(request, Buffer.concat(chunks).toString());
        const { operation, input } = protocol;
        const [, , region = ''] = request.headers.authorization?.split('/') ?? [];
        calls.push({ operation, input, region });
        const answer = answers[operation] ?? {
          error: { code: 'NotInThisTest', message: `${request.method} ${request.url} ${operation}` },
        };
        protocol.send(response, typeof answer === 'function' ? answer(input) : answer);
      },
      () => response.destroy(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const env = {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    AWS_REGION: 'eu-west-1',
    AWS_PROFILE: undefined,
    AWS_CONFIG_FILE: '/nonexistent',
    AWS_SHARED_CREDENTIALS_FILE: '/nonexistent',
    AWS_ACCESS_KEY_ID: 'any',
    AWS_SECRET_ACCESS_KEY: 'any',
    AWS_SESSION_TOKEN: undefined,
    // One attempt, unless a test sets more: the pauses between attempts would be stretched.
    AWS_MAX_ATTEMPTS: '1',
  };
  return { env, calls, close: () => server.close() };
}

type Protocol = Call & { send(response: ServerResponse, reply: Reply): void };

function protocolOf({ method = '', url = '', headers }: IncomingMessage, body: string): Protocol {
  const target = headers['x-amz-target'];
  if (typeof target === 'string')
    return { operation: target.split('.').at(-1) ?? '', input: parsed(body), send: sendJson };
  const { pathname, searchParams } = new URL(url, 'http://aws');
  for (const [operation, verb, path] of REST) {
    const found = verb === method ? path.exec(pathname) : undefined;
    const parameters = { ...found?.groups, ...Object.fromEntries(searchParams), ...parsed(body || '{}') };
    if (found) return { operation, input: parameters, send: sendRest };
  }
  const { Action: operation = '', ...input } = Object.fromEntries(new URLSearchParams(body));
  return { operation, input, send: (response, reply) => sendXml(response, reply, operation) };
}

function parsed(text: string): Fields {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** AWS JSON 1.0 and 1.1: the code of an error is in the body. */
function sendJson(response: ServerResponse, reply: Reply): void {
  const body =
    'is' in reply ? reply.is : { __type: `com.amazonaws#${reply.error.code}`, message: reply.error.message };
  response.writeHead('is' in reply ? 200 : (reply.error.status ?? 400), {
    'content-type': 'application/x-amz-json-1.1',
  });
  response.end(JSON.stringify(body));
}

/** REST JSON: the code of an error is in a header. */
function sendRest(response: ServerResponse, reply: Reply): void {
  const type = 'is' in reply ? {} : { 'x-amzn-errortype': reply.error.code };
  response.writeHead('is' in reply ? 200 : (reply.error.status ?? 400), {
    'content-type': 'application/json',
    ...type,
  });
  response.end(JSON.stringify('is' in reply ? reply.is : { message: reply.error.message }));
}

/** AWS query: XML; the elements of a list are called `member`. */
function sendXml(response: ServerResponse, reply: Reply, operation: string): void {
  response.writeHead('is' in reply ? 200 : (reply.error.status ?? 400), { 'content-type': 'text/xml' });
  if ('is' in reply)
    return void response.end(xml({ [`${operation}Response`]: { [`${operation}Result`]: reply.is } }));
  const { code, message } = reply.error;
  response.end(xml({ ErrorResponse: { Error: { Type: 'Sender', Code: code, Message: message } } }));
}

function xml(value: Value): string {
  if (Array.isArray(value)) return value.map((each) => `<member>${xml(each)}</member>`).join('');
  if (typeof value === 'object')
    return Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .map(([name, each]) => `<${name}>${xml(each)}</${name}>`)
      .join('');
  return String(value ?? '').replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
