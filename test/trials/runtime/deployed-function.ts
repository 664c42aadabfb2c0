import { rmSync } from 'node:fs';
import path from 'node:path';
import { DEFAULT_STAGE, findStage } from '../../../infra/stages.ts';
import { LOCAL_TABLES } from '../../../local/tables.ts';
import { type Json, only, resources, type Synth, synthWithAsset } from '../../infra/synth.ts';
import { ExecutionEnvironment } from './execution-environment.ts';

/** The function of stage dev as its template and asset have it. */
export interface DeployedFunction {
  readonly synth: Synth;
  /**
   * Starts an execution environment for it.
   * @param endpoint the store; it and the tables' names are the only differences from AWS
   * @param variables further environment variables; one that is undefined is removed
   */
  start(endpoint: string, variables?: Record<string, string | undefined>): Promise<ExecutionEnvironment>;
  remove(): void;
}

/** Synthesises stage dev. */
export function synthFunction(): DeployedFunction {
  const { result: synth, asset } = synthWithAsset(findStage(DEFAULT_STAGE));
  const { Handler, Timeout, MemorySize, LoggingConfig, Environment } = only(
    synth,
    'AWS::Lambda::Function',
  ).Properties;
  return {
    synth,
    start: (endpoint, variables = {}) =>
      ExecutionEnvironment.start({
        folder: asset,
        handler: Handler,
        timeoutMs: Timeout * 1_000,
        memoryMb: MemorySize,
        logFormat: LoggingConfig.LogFormat,
        logLevel: LoggingConfig.ApplicationLogLevel,
        variables: {
          ...named(synth, Environment.Variables),
          AWS_ENDPOINT_URL_DYNAMODB: endpoint,
          ...variables,
        },
      }),
    remove: () => rmSync(path.dirname(asset), { recursive: true }),
  };
}

/** Replaces references to the tables by their local names, as CloudFormation does by the deployed ones. */
function named(synth: Synth, variables: Record<string, Json>): Record<string, string> {
  const tables = Object.fromEntries(
    resources(synth, 'AWS::DynamoDB::GlobalTable').map(([id, { Properties }]) => [
      id,
      Properties.KeySchema[0].AttributeName === 'digest' ? LOCAL_TABLES.accessTokens : LOCAL_TABLES.plants,
    ]),
  );
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, tables[value.Ref] ?? '']),
  );
}
