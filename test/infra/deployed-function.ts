import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { LOCAL_TABLES } from '../../local/tables.ts';
import { type Deployed, only } from './deployed.ts';

const RUNTIME = fileURLToPath(new URL('lambda-runtime.ts', import.meta.url));

/** Where CloudFormation would put the tables' names, the names of those on this machine. */
const TABLES: Readonly<Record<string, string>> = {
  PlantsF7D2F15D: LOCAL_TABLES.plants,
  AccessTokensB65260D5: LOCAL_TABLES.accessTokens,
};

/** A running copy of the synthesised asset, as the template configures it. */
export interface DeployedFunction {
  /** What it printed: lines of Lambda's JSON log format. */
  readonly lines: string[];
  /** @throws Error when it ends before it answers, as at its time-out */
  invoke(event: unknown): Promise<APIGatewayProxyResult>;
  /** Ends it; from then on `lines` is complete. */
  stop(): Promise<void>;
}

/**
 * Starts the function of a stage in a process of its own, with the template's environment, handler and time-out.
 * @param asset the folder that would be uploaded
 * @param endpoint the store; the one thing that is not as in AWS
 * @param tables other names for tables, to break it
 */
export async function startDeployedFunction(
  deployed: Deployed,
  options: { asset: string; endpoint: string; tables?: Readonly<Record<string, string>> },
): Promise<DeployedFunction> {
  const { Handler, Timeout, Environment } = only(deployed, 'AWS::Lambda::Function').Properties;
  const tables = { ...TABLES, ...options.tables };
  const variables = Object.entries<{ Ref: string }>(Environment.Variables).map(([name, { Ref }]) => [
    name,
    tables[Ref],
  ]);
  const child = fork(RUNTIME, [options.asset, Handler, String(Timeout * 1_000)], {
    silent: true,
    execArgv: [],
    env: {
      ...Object.fromEntries(variables),
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_LAMBDA_FUNCTION_VERSION: '7',
      AWS_ENDPOINT_URL_DYNAMODB: options.endpoint,
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
    stop: async () => {
      child.kill();
      // Answers and lines come by different ways; only now have all lines come.
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
