import { expect, test } from 'vitest';

import { copyOf, only, PROTECTED, plain, resources } from './synth.ts';

/** What a table has in a state: what `Ref` of the stack's own one gives, or what the stage borrows. */
interface Table {
  readonly own?: string;
  readonly borrowed?: { readonly use: string; readonly previous: string };
}

const borrow = (use: string, previous: string): Table => ({ borrowed: { use, previous } });
const own = (name: string): Table => ({ own: name });

/**
 * The deployments of "Restore to a point in time" and of its undoing, in their order: P1 and T1 are the tables that the
 * stack has created, P2 and T2 the restored ones. An import itself changes no other resource than the table.
 */
const STATES: readonly (readonly [state: string, plants: Table, accessTokens: Table])[] = [
  ['the stack has created both tables', own('P1'), own('T1')],
  ['plants are borrowed', borrow('P2', 'P1'), own('T1')],
  ['both are borrowed', borrow('P2', 'P1'), borrow('T2', 'T1')],
  ['the restored plants are imported', own('P2'), borrow('T2', 'T1')],
  ['both are imported', own('P2'), own('T2')],
  ['the first access tokens are borrowed again', own('P2'), borrow('T1', 'T2')],
  ['both first tables are borrowed again', borrow('P1', 'P2'), borrow('T1', 'T2')],
  ['the undoing of plants is undone', borrow('P2', 'P1'), borrow('T1', 'T2')],
  ['both first tables are borrowed once more', borrow('P1', 'P2'), borrow('T1', 'T2')],
  ['both first tables are imported at once', own('P1'), own('T1')],
  ['both are borrowed at once', borrow('P2', 'P1'), borrow('T2', 'T1')],
  ['both are imported at once', own('P2'), own('T2')],
];
const STEPS = STATES.slice(1).map((after, index) => ({ before: STATES[index] ?? after, after }));

/** The properties that belong to the function and not to its versions: the CDK's `VERSION_LOCKED` has them as false. */
const NOT_OF_A_VERSION = ['ReservedConcurrentExecutions', 'Tags'];

/** A state as Lambda sees it: the references to tables are resolved by hand. */
function deployed([, plants, accessTokens]: (typeof STATES)[number]) {
  const borrowedTables = { plants: plants.borrowed, accessTokens: accessTokens.borrowed };
  const synth = copyOf({ ...PROTECTED, borrowedTables });
  const own: Record<string, string | undefined> = { Plants: plants.own, AccessTokens: accessTokens.own };
  const [[version] = []] = resources(synth, 'AWS::Lambda::Version');
  const { Properties } = only(synth, 'AWS::Lambda::Function');
  const kept = Object.entries(Properties).filter(([name]) => !NOT_OF_A_VERSION.includes(name));
  const text = JSON.stringify(plain(Object.fromEntries(kept)));
  const configuration = text.replaceAll(/\{(Plants|AccessTokens)\}/g, (_, table: string) => own[table] ?? '');
  return { version, configuration };
}

// Lambda refuses a version of an unchanged function, and then CloudFormation refuses every deployment. The policies of tables
// and permissions say which tables each state uses.
test.each(STEPS)(
  'from "$before.0" to "$after.0", a version is published if and only if the function changes',
  ({ before, after }) => {
    const [was, is] = [deployed(before), deployed(after)];
    const changes = was.configuration !== is.configuration;
    expect({ isNew: was.version !== is.version }).toEqual({ isNew: changes });
  },
);
