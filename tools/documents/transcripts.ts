import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { isThere } from '../../test/support/needs.ts';
import { read } from './documents.ts';

const execute = promisify(execFile);

export const hasCurl = isThere(spawnSync('curl', ['--version']).status === 0, {
  tests: 'the curl commands of documents',
  why: 'curl is not installed.',
  required: process.env.REQUIRE_TERMINAL === '1',
});

/** The blocks of a document that show requests and their responses: commands after `$ `, each with what it prints. */
export function transcripts(file: string): string[] {
  const blocks = [...read(file).matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  return blocks.filter((block) => block.includes('curl '));
}

/** Runs the commands of a transcript in one shell, against a service. @returns the transcript with what they print now */
export async function replayed(transcript: string, { url, token }: Record<'url' | 'token', string>) {
  const commands = [...transcript.matchAll(/^\$ ((?:.*\\\n)*.*\n)/gm)].map(([, command = '']) => command);
  const script = commands
    .join("printf '\\0'\n")
    .replaceAll('http://127.0.0.1:3000', url)
    .replaceAll('plants_…', token);
  const { stdout } = await execute('sh', ['-c', script]);
  const printed = stdout.split('\0');
  return commands.map((command, n) => `$ ${command}${printed[n] ?? ''}`).join('');
}
