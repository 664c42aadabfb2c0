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

/** Runs the project's commands against the emulator. */
export class Commands {
  readonly #variables: NodeJS.ProcessEnv;
  readonly #cdkFolder: string;

  /**
   * @param variables to add to this process's own
   * @param folder for the files of the CDK
   */
  constructor(variables: NodeJS.ProcessEnv, folder: string) {
    this.#variables = variables;
    this.#cdkFolder = path.join(folder, 'cdk.out');
  }

  /**
   * Runs a program of the project, such as `commands/doctor.ts`, whatever its exit code is.
   * @param token for PLANT_STORE_TOKEN
   * @param cwd the folder of the working copy
   */
  async run(script: string, args: readonly string[], token?: string, cwd = ROOT): Promise<Output> {
    const env = { ...process.env, ...this.#variables, PLANT_STORE_TOKEN: token };
    const options = { cwd, maxBuffer: 2 ** 26, env };
    return promisify(execFile)(process.execPath, [script, ...args], options).then(
      (output) => ({ code: 0, ...output }),
      (error) => ({ code: error.code, stdout: error.stdout, stderr: error.stderr }),
    );
  }

  /** Runs a program of the project. @returns all that it printed @throws Error with this, if it fails */
  async mustRun(script: string, args: readonly string[], token?: string): Promise<string> {
    return printed(await this.run(script, args, token), `${script} ${args.join(' ')}`);
  }

  cdk(...args: string[]): Promise<string> {
    return this.mustRun('node_modules/aws-cdk/bin/cdk', [...args, '--output', this.#cdkFolder]);
  }

  /**
   * Runs `npm run deploy`, whatever its exit code is.
   * @param options of the command
   * @param cdkOptions of `cdk deploy`
   * @param folder of the working copy
   */
  tryToDeploy(stage: string, options: readonly string[], cdkOptions: readonly string[] = [], folder = ROOT) {
    const args = ['--stage', stage, ...options, '--', '--output', this.#cdkFolder, ...cdkOptions];
    return this.run('commands/deploy.ts', args, undefined, folder);
  }

  /** Runs `npm run deploy`. @returns all that it printed @throws Error with this, if it fails */
  async deploy(...args: Parameters<Commands['tryToDeploy']>): Promise<string> {
    return printed(await this.tryToDeploy(...args), `deploy ${args.join(' ')}`);
  }

  /** Runs `npm run token`. @returns what it printed */
  token(...args: string[]): Promise<string> {
    return this.mustRun('commands/token.ts', args);
  }

  /** Issues an access token of a stage. */
  async issue(name: string, stage: string): Promise<string> {
    const [token = ''] = /^plants_\w{49}$/m.exec(await this.token('issue', name, '--stage', stage)) ?? [];
    return token;
  }
}

/** @returns all that a program printed @throws Error with this, if it failed */
function printed({ code, stdout, stderr }: Output, command: string): string {
  if (code !== 0) throw new Error(`${command} failed: ${stdout}${stderr}`);
  return stdout + stderr;
}
