import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { only, type Synth } from './synth.ts';

const RUNTIME = fileURLToPath(new URL('lambda-runtime.ts', import.meta.url));

/** The function of a synthesised stage, running with the configuration in its template. */
export interface RunningAsset {
  /** Its output: lines in Lambda's JSON log format. */
  readonly lines: string[];
  /** @throws Error if it exits before it answers, for example at its time-out */
  invoke(event: unknown): Promise<APIGatewayProxyResult>;
  /** Advances its clock, in milliseconds; apart from this, only its own pauses do. */
  advance(ms: number): Promise<void>;
  /** Ends the process; afterwards `lines` is complete. */
  stop(): Promise<void>;
}

/**
 * Starts the function in its own process, with the template's environment, handler and time-out.
 * @param asset the folder that would be uploaded
 * @param endpoint the store, the only difference from AWS
 */
export async function runAsset(synth: Synth, asset: string, endpoint: string): Promise<RunningAsset> {
  const { Handler, Timeout, Environment } = only(synth, 'AWS::Lambda::Function').Properties;
  // CloudFormation would replace the logical ids by table names.
  const variables = Object.entries<string | { Ref: string }>(Environment.Variables).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : value.Ref,
  ]);
  const child = fork(RUNTIME, [asset, Handler, String(Timeout * 1_000)], {
    silent: true,
    execArgv: [],
    env: {
      ...Object.fromEntries(variables),
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_LAMBDA_FUNCTION_VERSION: '7',
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    },
  });
  const lines: string[] = [];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => lines.push(...text.trim().split('\n')));
  child.stderr?.pipe(process.stderr);
  await message(child);
  return {
    lines,
    invoke: (event) => {
      child.send(event as object);
      return message(child) as Promise<APIGatewayProxyResult>;
    },
    advance: async (ms) => void child.send({ advance: ms }),
    stop: async () => {
      child.kill();
      // Answers and lines use different channels; at 'close' all lines have arrived.
      await once(child, 'close');
    },
  };
}

async function message(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(([code]) =>
    Promise.reject(new Error(`The function ended with ${code}.`)),
  );
  const [answer] = await Promise.race([once(child, 'message'), ended]);
  return answer;
}
