import { type Answer, type Fields, type Reply, startAws } from '../support/aws-stand-in.ts';

/** A stack, as far as the tools ask for it. */
export interface DeployedStack {
  readonly outputs?: Readonly<Record<string, string>>;
  readonly status?: string;
  readonly account?: string;
  readonly template?: string;
}

/**
 * Starts a CloudFormation that has these stacks, by their names. It denies requests about the stack
 * `PlantStore-dev-secret`, and refuses those about `PlantStore-dev-refused`.
 */
export async function startCloudFormation(stacks: Readonly<Record<string, DeployedStack>>): Promise<{
  /** For the tool's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The Regions of the requests so far. */
  readonly regions: readonly string[];
  close(): void;
}> {
  const about =
    (answer: (found: [string, DeployedStack][], page: number) => Fields): Answer =>
    ({ StackName: name, NextToken: page = 0 }): Reply => {
      if (name === 'PlantStore-dev-secret')
        return { error: { code: 'AccessDenied', message: 'not authorized' } };
      if (name === 'PlantStore-dev-refused')
        return { error: { code: 'ValidationError', message: '1 validation error detected' } };
      const found = Object.entries(stacks).filter(([each]) => name === undefined || each === name);
      if (name === undefined || found.length > 0) return { is: answer(found, Number(page)) };
      return { error: { code: 'ValidationError', message: `Stack with id ${name} does not exist` } };
    };
  const aws = await startAws({
    GetTemplate: about(([first]) => ({ TemplateBody: first?.[1].template ?? '' })),
    DescribeStacks: about((found) => ({ Stacks: found.map(described) })),
    // A page for each stack.
    ListStacks: about((found, page) => ({
      StackSummaries: found.slice(page, page + 1).map(described),
      NextToken: page + 1 < found.length ? page + 1 : undefined,
    })),
  });
  return {
    env: {
      AWS_ENDPOINT_URL_CLOUDFORMATION: String(aws.env.AWS_ENDPOINT_URL),
      // Those of a local store, where a test has started one.
      AWS_REGION: process.env.AWS_REGION ?? 'eu-west-1',
      AWS_ACCESS_KEY_ID: process.env.AWS_ACCESS_KEY_ID ?? 'any',
      AWS_SECRET_ACCESS_KEY: process.env.AWS_SECRET_ACCESS_KEY ?? 'any',
    },
    get regions() {
      return aws.calls.map(({ region }) => region);
    },
    close: aws.close,
  };
}

function described([name, { outputs = {}, status = 'CREATE_COMPLETE', account = '111122223333' }]: [
  string,
  DeployedStack,
]) {
  return {
    StackId: `arn:aws:cloudformation:eu-west-1:${account}:stack/${name}/1`,
    StackName: name,
    StackStatus: status,
    Outputs: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
  };
}
