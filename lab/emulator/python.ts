import { spawnSync } from 'node:child_process';
import { PlainError } from '../../terminal/plain-error.ts';

/** The versions of Python for which requirements.txt was tried; the first is preferred. */
const VERSIONS = ['3.13', '3.12'];

/**
 * Finds a Python for LocalStack: `PYTHON`, or else one on the path, of pyenv or of uv.
 * @returns its command
 * @throws PlainError with the versions that were found, if none is right
 */
export function findPython(): string {
  const { PYTHON } = process.env;
  const candidates = PYTHON ? [PYTHON] : [...VERSIONS.flatMap(commandsOf), 'python3', 'python'];
  const found = new Set<string>();
  for (const command of candidates) {
    const version = output(command, '-c', 'import sys; print("%d.%d" % sys.version_info[:2])');
    if (VERSIONS.includes(version)) return command;
    if (version !== '') found.add(version);
  }
  const have = found.size === 0 ? 'there is none' : `there is only ${[...found].join(', ')}`;
  const where = PYTHON ? 'in PYTHON' : 'on the path, in pyenv or in uv; PYTHON=… names another one';
  throw new PlainError(`LocalStack needs Python ${VERSIONS.join(' or ')} with venv: ${have} ${where}.`);
}

/** pyenv's own command for a version works only where the version is switched on. */
function commandsOf(version: string): string[] {
  const prefix = output('pyenv', 'prefix', version);
  const uv = output('uv', 'python', 'find', version);
  return [`python${version}`, prefix && `${prefix}/bin/python`, uv].filter((command) => command !== '');
}

/** What a command prints; empty if it fails or does not exist. */
function output(command: string, ...args: string[]): string {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : '';
}
