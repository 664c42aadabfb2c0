import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/**
 * Runs shell commands.
 * @returns their standard output
 * @throws Error with the end of the commands' output if one fails
 */
export async function shell(
  commands: string,
  cwd: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<string> {
  // NODE_OPTIONS would load the project's modules into the generators.
  const env = { ...process.env, NODE_OPTIONS: '', ...environment };
  const options = { cwd, env, maxBuffer: 2 ** 26 };
  try {
    return (await execute('bash', ['-exc', '-o', 'pipefail', commands], options)).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error((stdout + stderr).trim().split('\n').slice(-15).join('\n'));
  }
}
