import type { Command, Options } from './command.ts';
import { startOf } from './help-text.ts';

/** Options that npm has too: its own configuration may set them, so alone they say nothing. */
const OF_NPM = ['all', 'json', 'yes'];

/**
 * Options that npm has taken for itself, because there was no `--` before them: the script does not get them, but npm sets
 * `npm_config_NAME` (npm's documentation, "npm run" and "config", "Environment Variables").
 * @returns how to write the command, without the values; undefined if there are none
 */
export function takenByNpm(
  command: Command<Options>,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): string | undefined {
  const { script, options } = command;
  if (script === undefined || env.npm_lifecycle_event !== script) return undefined;
  const taken = Object.keys(options).filter(
    (name) => isTaken(name, env) && !args.some((each) => each.split('=')[0] === `--${name}`),
  );
  if (taken.every((name) => OF_NPM.includes(name))) return undefined;
  const written = taken.flatMap((option) => [`--${option}`, options[option]?.value]);
  const names = taken.map((name) => `--${name}`).join(' and ');
  return `npm took ${names} for itself; put -- before the options: ${[startOf(command), ...written].filter(Boolean).join(' ')}`;
}

/** Of `--no-canary`, npm makes an empty `npm_config_canary`. */
function isTaken(name: string, env: NodeJS.ProcessEnv): boolean {
  const [, negated] = /^no-(.+)/.exec(name) ?? [];
  if (negated) return env[`npm_config_${negated}`] === '';
  return Boolean(env[`npm_config_${name.replaceAll('-', '_')}`]);
}
