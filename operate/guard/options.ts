import type { Values } from '../../cli/command.ts';
import { UsageError } from '../../cli/command-line.ts';
import { isCommit } from '../../infra/working-copy.ts';

/** The options of `npm run guard` that `npm run deploy` has, too. */
export const GUARD_OPTIONS = {
  allow: {
    value: 'IDS',
    about:
      'by hand, accept what is listed for these logical ids, separated by commas; "all" accepts everything',
  },
  first: {
    about:
      "allow the first deployment of a stage; without it, a stage that has no stack is refused. Refused if it would replace another team's role for the access logs of API Gateway",
  },
  app: {
    value: 'FOLDER',
    about:
      'use the finished cdk.out in this folder, which cdk synth wrote from this commit, and synthesize nothing',
  },
  commit: {
    value: 'COMMIT',
    about: 'the commit of a folder without .git, as a pipeline unpacks it: 40 hexadecimal digits',
  },
} as const;

/** Their values. */
export type GuardValues = Partial<Values<typeof GUARD_OPTIONS>>;

/** @throws UsageError if the commit is not a whole id */
export function checkGuardValues({ commit }: GuardValues): void {
  if (commit !== undefined && !isCommit(commit))
    throw new UsageError('--commit must be 40 hexadecimal digits.');
}
