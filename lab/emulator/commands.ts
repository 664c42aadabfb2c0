import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../.ci/installation.ts';

/** What a program printed, and its exit code. */
export interface Output {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export type Commands = ReturnType<typeof commandsFor>;

/**
 * The project's commands, run against the emulator. Those that return a text throw an Error with it if they fail.
 * @param variables to add to this process's own
 * @param folder for the files of the CDK
 */
export function commandsFor(variables: NodeJS.ProcessEnv, folder: string) {
  const output = ['--output', path.join(folder, 'cdk.out')];

  /** Runs a program, whatever its exit code is. @param token for PLANT_STORE_TOKEN */
  async function run(script: string, args: readonly string[], token?: string): Promise<Output> {
    const env = { ...process.env, ...variables, PLANT_STORE_TOKEN: token };
    const options = { cwd: ROOT, maxBuffer: 2 ** 26, env };
    return promisify(execFile)(process.execPath, [script, ...args], options).then(
      (printed) => ({ code: 0, ...printed }),
      (error) => ({ code: error.code, stdout: error.stdout, stderr: error.stderr }),
    );
  }

  async function mustRun(script: string, args: readonly string[]): Promise<string> {
    return printed(await run(script, args), `${script} ${args.join(' ')}`);
  }

  /** Runs `npm run deploy`, whatever its exit code is. @param cdkOptions of `cdk deploy` */
  function tryToDeploy(stage: string, options: readonly string[], cdkOptions: readonly string[] = []) {
    return run('commands/deploy.ts', ['--stage', stage, ...options, '--', ...output, ...cdkOptions]);
  }

  return {
    run,
    mustRun,
    tryToDeploy,
    deploy: async (...args: Parameters<typeof tryToDeploy>) =>
      printed(await tryToDeploy(...args), `deploy ${args.join(' ')}`),
    cdk: (...args: string[]) => mustRun('node_modules/aws-cdk/bin/cdk', [...args, ...output]),
    /** Issues an access token of a stage. */
    async issue(name: string, stage: string): Promise<string> {
      const text = await mustRun('commands/token.ts', ['issue', name, '--stage', stage]);
      return /^plants_\w{49}$/m.exec(text)?.[0] ?? '';
    },
  };
}

/** @returns all that a program printed @throws Error with this, if it failed */
function printed({ code, stdout, stderr }: Output, command: string): string {
  if (code !== 0) throw new Error(`${command} failed: ${stdout}${stderr}`);
  return stdout + stderr;
}
