import { GetAliasCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { parseAliasDescription } from '../../infra/alias-description.ts';
import { ALIAS, stackName } from '../../infra/names.ts';
import type { DeployedStack } from '../../operate/deployed/deployed-stack.ts';
import { type Finding, given, ok, problem, type Question } from './question.ts';

/** Statuses: CloudFormation User Guide, "Stack status codes". */
export const stackState: Question = async ({ stage, stack }) => {
  const deploy = `npm run deploy -- -c stage=${stage.name}`;
  const found = await stack;
  if (found === undefined)
    return { verdict: 'not yet', says: `${stackName(stage.name)} is not deployed`, mend: deploy };
  const { status } = found;
  if (/^(CREATE|UPDATE|IMPORT)_COMPLETE$/.test(status)) return whatIsDeployed(found);
  if (status.endsWith('_IN_PROGRESS'))
    return problem(`${status}: another deployment would be refused`, 'wait until this one has ended');
  const [meaning, ...steps] = failureOf(found, deploy, `npx cdk rollback -c stage=${stage.name}`);
  const diagnose = `npx cdk diagnose --unstable=diagnose -c stage=${stage.name}`;
  return problem(`${status}: ${meaning}`, [diagnose, ...steps].join(', then '));
};

/**
 * What the status of a stack means after a failure, and the commands to run. Nothing tells to delete one with data.
 * @param deploy, undo the commands of the CDK
 */
function failureOf(
  { name, status, isProtected }: DeployedStack,
  deploy: string,
  undo: string,
): [meaning: string, ...steps: string[]] {
  const aws = (command: string) => `aws cloudformation ${command} --stack-name ${name}`;
  if (status === 'UPDATE_ROLLBACK_FAILED')
    return ['no deployment is possible', aws('continue-update-rollback')];
  if (/^(UPDATE|IMPORT)_ROLLBACK_COMPLETE$/.test(status))
    return ['the last deployment failed and was undone', deploy];
  // The CDK itself deletes such a stack before it creates it again (`isCreationFailure` in aws-cdk). But it has protected it
  // before it executed the first change set, and a protected stack is not deleted (CloudFormation User Guide, "Protect
  // CloudFormation stacks from being deleted").
  if (/^ROLLBACK_(COMPLETE|FAILED)$/.test(status)) {
    const unprotect = aws('update-termination-protection --no-enable-termination-protection');
    return ['the first deployment failed', ...(isProtected ? [unprotect] : []), deploy];
  }
  if (status === 'DELETE_FAILED') return ['the stack cannot be used', aws('delete-stack'), deploy];
  // Only a deployment with --no-rollback ends like this (CloudFormation API Reference, RollbackStack).
  if (/^(CREATE|UPDATE)_FAILED$/.test(status)) return ['the last deployment failed and was not undone', undo];
  return ['this status is not known here'];
}

/** Which commit is deployed, as the alias says. */
async function whatIsDeployed(stack: DeployedStack): Promise<Finding> {
  const FunctionName = await stack.physicalId('AWS::Lambda::Function');
  const command = new GetAliasCommand({ FunctionName, Name: ALIAS });
  const { Name, Description } = await new LambdaClient(stack.settings).send(command);
  given(Name, 'alias');
  const { commit, isModified } = parseAliasDescription(Description);
  const known = `commit ${commit?.slice(0, 7)}${isModified ? ', modified' : ''}`;
  return ok(`${stack.status}; ${commit ? known : 'the deployed commit is not known'}`);
}
