import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs Node in a project folder, as the CDK's command line runs the app. */
export function runNode(cwd: string, words: string[], environment = {}) {
  const { PATH } = process.env;
  return promisify(execFile)(process.execPath, words, { cwd, env: { PATH, ...environment } });
}
