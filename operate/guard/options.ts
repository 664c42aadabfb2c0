import type { Values } from '../../cli/command.ts';

/** The options of `npm run guard` that `npm run deploy` has, too. */
export const GUARD_OPTIONS = {
  allow: {
    value: 'IDS',
    about:
      'by hand, accept what is listed for these logical ids, separated by commas; "all" accepts everything',
  },
  first: { about: 'allow the first deployment of a stage; without it, a stage that has no stack is refused' },
} as const;

/** Their values. */
export type GuardValues = Partial<Values<typeof GUARD_OPTIONS>>;
