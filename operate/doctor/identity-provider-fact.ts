import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { IDENTITY_PROVIDER, isOpen, whoGetsIn } from '../../infra/identity-provider.ts';
import type { IdentityProvider } from '../../lambda/tokens/json-web-tokens.ts';
import { readLive } from '../shared/live-versions.ts';
import { type Question, required } from './fact.ts';

/** Who gets in by a token of the identity provider: the setting of the version that most requests reach. */
export const identityProvider: Question = async ({ stage, deployed, settings }) => {
  const { functionName: FunctionName, version: Qualifier } = await readLive(await deployed);
  const version = new GetFunctionConfigurationCommand({ FunctionName, Qualifier });
  const { Environment } = await new LambdaClient(settings).send(version);
  const variable = required(Environment?.Variables, 'Variables')[IDENTITY_PROVIDER.variable];
  const seen: IdentityProvider | undefined = variable === undefined ? variable : JSON.parse(variable);
  const deploy = `deploy: npm run deploy -- --stage ${stage.name}`;
  if (!seen || !isOpen(seen)) return { seen, expected: stage.identityProvider, repair: deploy };
  const repair = `set scope or allowedClients of identityProvider in infra/stages.ts, and ${deploy}`;
  return { seen: whoGetsIn(seen), expected: 'who has a scope, or is named in allowedClients', repair };
};
