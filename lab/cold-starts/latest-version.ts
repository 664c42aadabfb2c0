import { setTimeout as pause } from 'node:timers/promises';
import {
  type FunctionConfiguration,
  GetFunctionConfigurationCommand,
  InvokeCommand,
  LambdaClient,
  UpdateFunctionConfigurationCommand,
} from '@aws-sdk/client-lambda';
import { failed } from '../../infra/deployed/aws.ts';
import { deployedStack } from '../../infra/deployed/deployed-stack.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { PlainError } from '../../terminal/plain-error.ts';
import { type Report, readReport } from './platform-report.ts';

/** A variable of ours: its value changes before each request. */
const MARK = 'COLD_START_TRIAL';
/** Between two looks at an update, which takes a second or more. */
const PAUSE_MS = 250;

type Variables = Readonly<Record<string, string>>;

/**
 * The unpublished version of a stage's function. The gateway calls the alias, which points at a published version, and
 * published versions cannot be changed (Lambda Developer Guide, "Manage Lambda function versions").
 */
export class LatestVersion {
  readonly functionName: string;
  readonly #client: LambdaClient;
  readonly #original: FunctionConfiguration;
  #revision: string | undefined;
  #renewals = 0;

  private constructor(client: LambdaClient, functionName: string, original: FunctionConfiguration) {
    this.#client = client;
    this.functionName = functionName;
    this.#original = original;
    this.#revision = original.RevisionId;
  }

  /** @throws PlainError if the stage is not deployed, is being deployed, or was left changed by an interrupted run */
  static async of(stage: Stage): Promise<LatestVersion> {
    const stack = await deployedStack(stage);
    if (stack.status.endsWith('_IN_PROGRESS'))
      throw new PlainError(`Nothing was changed: the stack is ${stack.status}; wait until it has ended.`);
    const client = new LambdaClient(stack.settings);
    const unchanged = failed('Nothing was changed');
    const name = await stack.physicalId('AWS::Lambda::Function').catch(unchanged);
    const original = await read(client, name).catch(unchanged);
    if (original.Environment?.Variables?.[MARK] !== undefined)
      throw new PlainError(
        `Nothing was changed: an earlier run left ${MARK} in the variables of ${name}. Remove it, then compare the ` +
          `function with its template: npm run doctor -- --stage ${stage.name}`,
      );
    return new LatestVersion(client, name, original);
  }

  get variables(): Variables {
    return this.#original.Environment?.Variables ?? {};
  }

  /** What the figures depend on. */
  get facts() {
    const { MemorySize: memory, Architectures: [architecture] = [], RuntimeVersionConfig } = this.#original;
    return { memory, architecture, runtime: RuntimeVersionConfig?.RuntimeVersionArn };
  }

  /** Changes the configuration, so that the next request starts a new process. @throws PlainError if that fails */
  async renew(variables: Variables): Promise<void> {
    this.#renewals += 1;
    const mark = String(this.#renewals);
    // At the deployed level, WARN, Lambda reports no successful requests.
    const LoggingConfig = { ...this.#original.LoggingConfig, SystemLogLevel: 'INFO' as const };
    await this.#update({ ...variables, [MARK]: mark }, LoggingConfig).catch(
      failed('The function cannot be changed'),
    );
  }

  /** @throws PlainError if the call or the function fails, its response is not 200, or its log has no report */
  async invoke(event: object): Promise<Report> {
    const command = new InvokeCommand({
      FunctionName: this.functionName,
      Payload: JSON.stringify(event),
      LogType: 'Tail',
    });
    const { FunctionError, LogResult, Payload } = await this.#client
      .send(command)
      .catch(failed('The function cannot be invoked'));
    const response = JSON.parse(Payload?.transformToString() || '{}');
    if (FunctionError)
      throw new PlainError(`The function failed: ${response.errorType}: ${response.errorMessage}`);
    if (response.statusCode !== 200)
      throw new PlainError(`A request got ${response.statusCode}: ${response.body}`);
    return readReport(LogResult ?? '');
  }

  /** Restores the configuration. @throws PlainError with the command that does so, if it fails */
  async restore(): Promise<void> {
    if (this.#renewals === 0) return;
    const { Environment, LoggingConfig } = this.#original;
    await this.#update(this.variables, LoggingConfig).catch(
      failed(
        `${this.functionName} was not restored. To restore it: aws lambda update-function-configuration ` +
          `--function-name ${this.functionName} --environment '${JSON.stringify({ Variables: Environment?.Variables })}' ` +
          `--logging-config '${JSON.stringify(LoggingConfig)}'; the reason`,
      ),
    );
  }

  async #update(Variables: Variables, LoggingConfig: FunctionConfiguration['LoggingConfig']): Promise<void> {
    await this.#client.send(
      new UpdateFunctionConfigurationCommand({
        FunctionName: this.functionName,
        Environment: { Variables },
        LoggingConfig,
        // Lambda refuses the change if somebody else has changed the function.
        RevisionId: this.#revision,
      }),
    );
    for (;;) {
      const now = await read(this.#client, this.functionName);
      const isOurs = now.Environment?.Variables?.[MARK] === Variables[MARK];
      if (!isOurs || now.CodeSha256 !== this.#original.CodeSha256)
        throw new PlainError('somebody else has changed the function.');
      this.#revision = now.RevisionId;
      if (now.LastUpdateStatus === 'Failed') throw new PlainError(`${now.LastUpdateStatusReason}`);
      if (now.LastUpdateStatus !== 'InProgress') return;
      await pause(PAUSE_MS);
    }
  }
}

function read(client: LambdaClient, FunctionName: string): Promise<FunctionConfiguration> {
  return client.send(new GetFunctionConfigurationCommand({ FunctionName }));
}
