import { problemWith } from './stage-check.ts';
import { STAGES, type Stage } from './stages.ts';

/** Said to the person at the command line, in one line. Anything else that is thrown is a fault of the app. */
export class ContextError extends Error {
  override readonly name = 'ContextError';
}

const KEYS = ['stage', 'canary', 'alarmEmail'];

/**
 * Works out the stage to deploy from the `-c key=value` words of the command line.
 * @param context all context of the app; keys of the CDK itself hold a colon
 * @throws ContextError when a word cannot be meant: its message names the value and the choices
 */
export function readStage(context: Readonly<Record<string, unknown>>): Stage {
  // A mistyped `-c stgae=prod` would otherwise quietly deploy dev.
  const unknown = Object.keys(context).find((key) => !key.includes(':') && !KEYS.includes(key));
  if (unknown !== undefined) throw refused('context key', unknown, KEYS);

  const { stage = 'dev', canary = 'on', alarmEmail } = context;
  const chosen = Object.values(STAGES).find(({ name }) => name === stage);
  if (chosen === undefined) throw refused('stage', stage, Object.keys(STAGES));
  if (canary !== 'on' && canary !== 'off') throw refused('canary', canary, ['on', 'off']);

  const { canaryMinutes: _, ...allAtOnce } = chosen;
  const result: Stage = {
    ...(canary === 'off' ? allAtOnce : chosen),
    ...(alarmEmail === undefined ? {} : { alarmEmail: String(alarmEmail) }),
  };
  const problem = problemWith(result);
  if (problem !== undefined) throw new ContextError(problem);
  return result;
}

function refused(what: string, value: unknown, choices: readonly string[]): ContextError {
  return new ContextError(`Unknown ${what} ${JSON.stringify(value)}; choose one of: ${choices.join(', ')}.`);
}
