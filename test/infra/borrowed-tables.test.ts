import { describe, expect, test } from 'vitest';
import { plain } from './policies/policy.ts';
import { copyOf, type Json, only, PROTECTED, resources } from './synth.ts';

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

/** A state as Lambda and IAM see it: the references to tables are resolved by hand. */
function deployed([, plants, accessTokens]: (typeof STATES)[number]) {
  const borrowedTables = { plants: plants.borrowed, accessTokens: accessTokens.borrowed };
  const synth = copyOf({ ...PROTECTED, borrowedTables });
  const resolve = (value: Json): Json => {
    const own: Record<string, string | undefined> = { Plants: plants.own, AccessTokens: accessTokens.own };
    const name = (_: string, table: string, isArn?: string) => (isArn ? 'table/' : '') + own[table];
    const text = JSON.stringify(plain(synth, value));
    return JSON.parse(text.replaceAll(/\{(Plants|AccessTokens)(\.Arn)?\}/g, name));
  };
  const [[version] = []] = resources(synth, 'AWS::Lambda::Version');
  const { Properties } = only(synth, 'AWS::Lambda::Function');
  const kept = Object.entries(Properties).filter(([name]) => !NOT_OF_A_VERSION.includes(name));
  return {
    version,
    configuration: resolve(Object.fromEntries(kept)),
    statements: resolve(only(synth, 'AWS::IAM::Policy').Properties.PolicyDocument.Statement) as Json[],
  };
}

describe.each(STEPS)('from "$before.0" to "$after.0"', ({ before, after }) => {
  const [was, is] = [deployed(before), deployed(after)];

  // Lambda refuses a version of an unchanged function, and then CloudFormation refuses every deployment.
  test('a version is published if and only if the resolved configuration of the function changes', () => {
    const changes = JSON.stringify(was.configuration) !== JSON.stringify(is.configuration);
    expect({ isNew: was.version !== is.version }).toEqual({ isNew: changes });
  });

  test('the function uses the tables of the state', () => {
    expect(is.configuration.Environment.Variables).toMatchObject({
      PLANTS_TABLE: after[1].own ?? after[1].borrowed?.use,
      ACCESS_TOKENS_TABLE: after[2].own ?? after[2].borrowed?.use,
    });
  });

  // The alias moves last, and a canary serves both versions for some time.
  test('the role may use the tables of the earlier version and of the new one', () => {
    for (const { PLANTS_TABLE, ACCESS_TOKENS_TABLE } of [was, is].map(
      (each) => each.configuration.Environment.Variables,
    )) {
      expect(mayDo(is.statements, 'dynamodb:PutItem')).toContain(PLANTS_TABLE);
      expect(mayDo(is.statements, 'dynamodb:GetItem')).toContain(ACCESS_TOKENS_TABLE);
    }
  });
});

/** The names of the tables with which a policy allows an action. */
function mayDo(statements: Json[], action: string): string[] {
  return statements
    .filter(({ Action }) => [Action].flat().includes(action))
    .flatMap(({ Resource }) => [Resource].flat())
    .map((arn: string) => arn.replace(/^.*table\//, ''));
}
