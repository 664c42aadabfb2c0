import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A stack, as far as the tools ask for it. */
export interface DeployedStack {
  readonly outputs?: Readonly<Record<string, string>>;
  readonly tags?: Readonly<Record<string, string>>;
  readonly account?: string;
  readonly template?: string;
}

/** In place of CloudFormation: answers in the shapes of its Query API. */
export interface CloudFormation {
  /** For the tool's environment: the address, credentials and the Region eu-west-1. */
  readonly env: Readonly<Record<string, string>>;
  /** The Regions of the requests so far, from their signatures. */
  readonly regions: readonly string[];
  close(): void;
}

/**
 * Starts a CloudFormation that has these stacks. It denies requests about the stack `PlantStore-dev-secret`, and refuses
 * those about `PlantStore-dev-refused`.
 */
export async function startCloudFormation(
  stacks: Readonly<Record<string, DeployedStack>>,
): Promise<CloudFormation> {
  const regions: string[] = [];
  const server = createServer((request, response) => {
    regions.push(/Credential=[^/]+\/\d+\/([^/]+)/.exec(request.headers.authorization ?? '')?.[1] ?? '');
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { status, text } = answer(new URLSearchParams(body), stacks);
      response.writeHead(status, { 'content-type': 'text/xml' }).end(text);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    env: {
      AWS_ENDPOINT_URL_CLOUDFORMATION: `http://127.0.0.1:${port}`,
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
    },
    regions,
    close: () => server.close(),
  };
}

function answer(asked: URLSearchParams, stacks: Readonly<Record<string, DeployedStack>>) {
  const [action, name] = [asked.get('Action'), asked.get('StackName')];
  const failed = (code: string, message: string) => ({
    status: 400,
    text: `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
  });
  const succeeded = (result: string) => ({
    status: 200,
    text: `<${action}Response><${action}Result>${result}</${action}Result></${action}Response>`,
  });
  if (name === 'PlantStore-dev-refused') return failed('ValidationError', '1 validation error detected');
  if (name === 'PlantStore-dev-secret') return failed('AccessDenied', `not authorized to perform ${action}`);
  const found = Object.entries(stacks).filter(([each]) => name === null || each === name);
  if (name !== null && found.length === 0)
    return failed('ValidationError', `Stack with id ${name} does not exist`);
  if (action === 'GetTemplate')
    return succeeded(`<TemplateBody>${xml(found[0]?.[1].template ?? '')}</TemplateBody>`);
  // A page for each stack.
  const page = Number(asked.get('NextToken') ?? 0);
  const next = page + 1 < found.length ? `<NextToken>${page + 1}</NextToken>` : '';
  return succeeded(
    `<Stacks>${found
      .slice(page, page + 1)
      .map(described)
      .join('')}</Stacks>${next}`,
  );
}

function described([name, { outputs = {}, tags = {}, account = '111122223333' }]: [
  string,
  DeployedStack,
]): string {
  const list = (element: string, key: string, value: string, values: Readonly<Record<string, string>>) => {
    const members = Object.entries(values).map(
      ([each, text]) => `<member><${key}>${each}</${key}><${value}>${text}</${value}></member>`,
    );
    return `<${element}>${members.join('')}</${element}>`;
  };
  return `<member><StackId>arn:aws:cloudformation:eu-west-1:${account}:stack/${name}/1</StackId>
    <StackName>${name}</StackName><StackStatus>CREATE_COMPLETE</StackStatus>
    ${list('Outputs', 'OutputKey', 'OutputValue', outputs)}${list('Tags', 'Key', 'Value', tags)}</member>`;
}

function xml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
