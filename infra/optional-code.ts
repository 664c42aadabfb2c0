import { IDENTITY_PROVIDER } from './identity-provider.ts';
import type { Stage } from './stage-settings.ts';

/** Code that the function has only in a stage with a setting for it. */
interface OptionalCode {
  /** The variable of the function that the code reads. */
  readonly variable: string;
  /** Its value; undefined in a stage without the setting. */
  readonly value: (stage: Stage) => string | undefined;
  /** What the synth says of the setting, if something. */
  readonly warning: (stage: Stage) => string | undefined;
  /** Whether the stage has no access tokens of its own, because the code accepts others in their place. */
  readonly replacesOwnTokens: (stage: Stage) => boolean;
}

const OPTIONAL_CODE: readonly OptionalCode[] = [IDENTITY_PROVIDER];

/** The variables of a stage's function for its optional code, and their values. */
export function optionalVariables(stage: Stage): Record<string, string> {
  const entries = OPTIONAL_CODE.map(({ variable, value }) => [variable, value(stage)] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** The variables whose code a function leaves out. @param variables that it has */
export function absentVariables(variables: readonly string[]): string[] {
  return OPTIONAL_CODE.map(({ variable }) => variable).filter((each) => !variables.includes(each));
}

/** Whether a stage issues access tokens, and has a table of them. */
export function hasOwnTokens(stage: Stage): boolean {
  return !OPTIONAL_CODE.some(({ replacesOwnTokens }) => replacesOwnTokens(stage));
}

/** What the synth says of a stage. */
export function warnings(stage: Stage): string[] {
  return OPTIONAL_CODE.flatMap(({ warning }) => warning(stage) ?? []);
}
