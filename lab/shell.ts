import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Runs shell commands in a folder, up to the first that fails.
 * @param environment variables to add
 * @returns what they print on standard output
 * @throws Error with the end of their output, if one fails
 */
export async function shell(
  commands: string,
  cwd: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<string> {
  // NODE_OPTIONS would load the project's modules into other programs.
  const env = { ...process.env, NODE_OPTIONS: '', ...environment };
  const options = { cwd, env, maxBuffer: 2 ** 26 };
  try {
    // Node's pipes are sockets, from which bash concludes that it serves another machine; it would read ~/.bashrc, which may set PATH.
    return (await promisify(execFile)('bash', ['--norc', '-exc', '-o', 'pipefail', commands], options))
      .stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error((stdout + stderr).trim().split('\n').slice(-15).join('\n'));
  }
}
