import { type Ended, run } from './local-process.ts';

/** `npm run verify -- …`. @returns its exit code, and what it printed to both streams */
export function verify(words: string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return run('tools/verify.ts', words, { env });
}
