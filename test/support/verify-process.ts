import { execFile } from 'node:child_process';

const TOOL = new URL('../../tools/verify.ts', import.meta.url).pathname;

/** `npm run verify -- …`. @returns its exit code, and what it printed to both streams */
export function verify(
  words: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, ...env }, maxBuffer: 2 ** 24 };
    execFile(process.execPath, [TOOL, ...words], options, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}
