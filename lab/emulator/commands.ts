import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../test/support/project.ts';

export type Commands = ReturnType<typeof commandsFor>;

/**
 * The project's commands, run against the emulator. Those that return a text throw an Error with it if they fail.
 * @param folder for the files of the CDK
 * @param project the folder of the project, or of a copy of it
 */
export function commandsFor(folder: string, project = ROOT) {
  const output = ['--output', path.join(folder, 'cdk.out')];

  /** Runs a program. @param token for PLANT_STORE_TOKEN @returns its exit code, whatever it is, and what it printed */
  async function run(script: string, args: readonly string[], token?: string) {
    const env = { ...process.env, PLANT_STORE_TOKEN: token };
    const options = { cwd: project, maxBuffer: 2 ** 26, env };
    const ended = promisify(execFile)(process.execPath, [script, ...args], options);
    const { code = 0, stdout, stderr } = await ended.catch((error) => error);
    return { code, stdout, stderr } as { code: number; stdout: string; stderr: string };
  }

  /** @returns all that a program printed @throws Error with this, if it failed */
  async function printed(ended: ReturnType<typeof run>): Promise<string> {
    const { code, stdout, stderr } = await ended;
    if (code !== 0) throw new Error(`A command failed: ${stdout}${stderr}`);
    return stdout + stderr;
  }

  const mustRun = (script: string, args: readonly string[]) => printed(run(script, args));

  /** Runs `npm run deploy`, whatever its exit code is. @param cdkOptions of `cdk deploy` */
  function tryToDeploy(stage: string, options: readonly string[], cdkOptions: readonly string[] = []) {
    return run('commands/deploy.ts', ['--stage', stage, ...options, '--', ...output, ...cdkOptions]);
  }

  return {
    run,
    mustRun,
    tryToDeploy,
    deploy: (...args: Parameters<typeof tryToDeploy>) => printed(tryToDeploy(...args)),
    cdk: (...args: string[]) => mustRun('node_modules/aws-cdk/bin/cdk', [...args, ...output]),
    /** Issues an access token of a stage. */
    async issue(name: string, stage: string): Promise<string> {
      const text = await mustRun('commands/token.ts', ['issue', name, '--stage', stage]);
      return /^plants_\w{49}$/m.exec(text)?.[0] ?? '';
    },
  };
}
