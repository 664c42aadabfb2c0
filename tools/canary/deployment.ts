import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PlainError } from '../../terminal/plain-error.ts';

/**
 * Runs `npm run deploy` for a stage. CloudFormation goes on if the process ends early.
 * @param options more options of `cdk deploy`
 * @returns whether it succeeded
 * @throws PlainError if npm cannot be started
 */
export async function deploy(stage: string, options: readonly string[]): Promise<boolean> {
  // Lines, not a bar that is drawn anew: other lines are printed meanwhile.
  const words = ['run', 'deploy', '--', '-c', `stage=${stage}`, '--progress', 'events', ...options];
  const child = spawn('npm', words, { stdio: 'inherit', shell: process.platform === 'win32' });
  const forward = (signal: NodeJS.Signals) => void child.kill(signal);
  process.on('SIGINT', forward).on('SIGTERM', forward);
  const [code] = await once(child, 'close').catch((error) => {
    throw new PlainError(`npm cannot be started: ${error.message}`);
  });
  process.off('SIGINT', forward).off('SIGTERM', forward);
  return code === 0;
}
