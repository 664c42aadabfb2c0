import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
import { ok, problem, type Question } from './question.ts';

/** The CDK writes the version of its bootstrap stack here; `hnb659fds` is its default qualifier. */
const BOOTSTRAP_VERSION = '/cdk-bootstrap/hnb659fds/version';
/** The stacks need version 6 and the CDK's lookups version 8 (`requiresBootstrapStackVersion` in cdk.out/manifest.json). */
const LEAST_BOOTSTRAP = 8;

export const bootstrap: Question = async ({ settings, account, region }) => {
  const mend = `npx cdk bootstrap aws://${account}/${region}`;
  try {
    const { Parameter } = await new SSMClient(settings).send(
      new GetParameterCommand({ Name: BOOTSTRAP_VERSION }),
    );
    const version = Number(Parameter?.Value);
    if (version >= LEAST_BOOTSTRAP) return ok(`version ${version}; ${LEAST_BOOTSTRAP} is enough`);
    return problem(`version ${Parameter?.Value}; the CDK needs ${LEAST_BOOTSTRAP} or newer`, mend);
  } catch (error) {
    if (!(error instanceof ParameterNotFound)) throw error;
    return problem('this account and Region have not been bootstrapped', mend);
  }
};

export const gatewayLogs: Question = async ({ settings, stack, account, arn }) => {
  const { cloudwatchRoleArn } = await new APIGatewayClient(settings).send(new GetAccountCommand({}));
  if (cloudwatchRoleArn) return ok(`the account's role for them is ${cloudwatchRoleArn}`);
  const deployedStack = await stack;
  if (!deployedStack) return ok('the account has no role for them; the deployment creates one');
  const role = await deployedStack.physicalId('AWS::IAM::Role', 'ApiCloudWatchRole');
  // The partition of ARNs: `aws`, or another one in China and in GovCloud.
  const [, partition = 'aws'] = arn.split(':');
  return problem(
    'the account has no role for them, so there is no access log',
    `aws apigateway update-account --patch-operations op=replace,path=/cloudwatchRoleArn,value=arn:${partition}:iam::${account}:role/${role}`,
  );
};
