import {
  type AliasConfiguration,
  CreateAliasCommand,
  DeleteAliasCommand,
  type FunctionConfiguration,
  GetAliasCommand,
  LambdaClient,
} from '@aws-sdk/client-lambda';
import { explain } from '../../operate/deployed/aws.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { type LiveFunction, markOf } from './live-function.ts';

/**
 * Marks the versions that a rollback has left, and removes the mark of its target. To be called after the alias was moved: until then
 * clients are hurt, and marking may fail. Not in an unprotected stage: each deployment deletes the previous version, which a mark
 * would prevent.
 * @returns what was done, a sentence for each version
 * @throws PlainError if a mark could not be written or removed, with the command for it
 */
export async function updateMarks(live: LiveFunction, target: FunctionConfiguration): Promise<string[]> {
  const { serving, versions, marked } = live;
  const to = String(target.Version);
  const left = versions
    .map(({ Version = '' }) => Version)
    .filter((version) => serving.includes(version) && Number(version) > Number(to));
  const done: string[] = [];
  for (const version of left) done.push(await mark(live, version));
  if (marked.has(to)) done.push(await unmark(live, to));
  return done;
}

async function mark({ stack, functionName }: LiveFunction, version: string): Promise<string> {
  const client = new LambdaClient(stack.settings);
  const alias = { FunctionName: functionName, Name: markOf(version) };
  const isThere = ({ FunctionVersion }: AliasConfiguration) => FunctionVersion === version;
  try {
    const created = await client.send(new CreateAliasCommand({ ...alias, FunctionVersion: version }));
    if (!isThere(created)) throw new PlainError('the response does not name the version');
  } catch (error) {
    // It is there already if a response was lost, or if somebody else has rolled back at the same time.
    const found = await client.send(new GetAliasCommand(alias)).catch(() => ({}));
    if (!isThere(found))
      throw new PlainError(
        `The rollback is done, but version ${version} is not marked as rolled back (${explain(error)}), so a later rollback may propose it. ` +
          `To mark it: aws lambda create-alias --function-name ${functionName} --function-version ${version} --name ${alias.Name}`,
      );
  }
  return `Version ${version} is marked as rolled back: no later rollback proposes it.`;
}

async function unmark({ stack, functionName }: LiveFunction, version: string): Promise<string> {
  const client = new LambdaClient(stack.settings);
  const alias = { FunctionName: functionName, Name: markOf(version) };
  try {
    await client.send(new DeleteAliasCommand(alias));
  } catch (error) {
    throw new PlainError(
      `The rollback is done, but version ${version} may still be marked as rolled back (${explain(error)}). ` +
        `To remove the mark: aws lambda delete-alias --function-name ${functionName} --name ${alias.Name}`,
    );
  }
  return `Version ${version} is no longer marked as rolled back.`;
}
