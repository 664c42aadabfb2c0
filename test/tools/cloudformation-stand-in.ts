import { error, startAws } from '../support/aws-stand-in.ts';

/**
 * Starts a CloudFormation with the outputs of these stacks, by the names of the stacks.
 * @returns the environment of a tool that calls it; other services are where the tool's environment says
 */
export async function startCloudFormation(
  stacks: Readonly<Record<string, { readonly outputs: Readonly<Record<string, string>> }>>,
) {
  const { env, close } = await startAws({
    DescribeStacks: ({ StackName: name }) => {
      const found = stacks[String(name)];
      if (!found) return error('ValidationError', `Stack with id ${name} does not exist`);
      const outputs = Object.entries(found.outputs);
      const Outputs = outputs.map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }));
      return { is: { Stacks: [{ StackName: name, StackStatus: 'CREATE_COMPLETE', Outputs }] } };
    },
  });
  return {
    env: {
      AWS_ENDPOINT_URL_CLOUDFORMATION: env.AWS_ENDPOINT_URL,
      // Those of a local store, where a test has started one.
      AWS_REGION: process.env.AWS_REGION ?? env.AWS_REGION,
      AWS_ACCESS_KEY_ID: process.env.AWS_ACCESS_KEY_ID ?? 'any',
      AWS_SECRET_ACCESS_KEY: process.env.AWS_SECRET_ACCESS_KEY ?? 'any',
    },
    close,
  };
}
