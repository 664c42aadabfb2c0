import { error, type Reply, stack, startAws } from '../support/aws-stand-in.ts';

/**
 * Starts a stand-in for CloudFormation.
 * @param stacks the outputs of each stack, by its name
 * @returns the environment of a tool that calls it; calls of other services go where the tool's environment says
 */
export async function startCloudFormation(
  stacks: Readonly<Record<string, { readonly outputs: Readonly<Record<string, string>> }>>,
) {
  const { env, close } = await startAws({
    DescribeStacks: (input) => {
      const found = stacks[String(input.StackName)];
      if (!found) return error('ValidationError', `Stack with id ${input.StackName} does not exist`);
      return stack('CREATE_COMPLETE', found.outputs).DescribeStacks as Reply;
    },
  });
  return {
    env: {
      AWS_ENDPOINT_URL_CLOUDFORMATION: env.AWS_ENDPOINT_URL,
      // Those of a local store, if a test has started one.
      AWS_REGION: process.env.AWS_REGION ?? env.AWS_REGION,
      AWS_ACCESS_KEY_ID: process.env.AWS_ACCESS_KEY_ID ?? 'any',
      AWS_SECRET_ACCESS_KEY: process.env.AWS_SECRET_ACCESS_KEY ?? 'any',
    },
    close,
  };
}
