/** The options of `npm run guard` that `npm run deploy` has, too. */
export const GUARD_OPTIONS = {
  allow: {
    value: 'IDS',
    about:
      'by hand, accept what is listed for these logical ids, separated by commas; "all" accepts everything',
  },
  first: { about: 'a stage without a stack is deployed for the first time; otherwise, that is refused' },
} as const;
