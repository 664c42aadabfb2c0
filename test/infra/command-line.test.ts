import { describe, expect, test } from 'vitest';
import { readPipeline, readStages } from '../../infra/command-line.ts';
import { allStages, findStage, STAGES } from '../../infra/stages.ts';
import { CONTEXT, EVERYTHING, PROTECTED, UNPROTECTED } from './synth.ts';

const { name: _, ...trial } = UNPROTECTED;
const { name: __, ...production } = PROTECTED;
/** A stage file: `dev` is the default stage. */
const FILE = {
  dev: { ...trial, isTemplate: true },
  production,
  bound: { ...production, account: '111122223333', region: 'eu-west-1' },
};
const read = (context: object, environment = {}) => readStages({ ...context }, environment, FILE);

describe('the options of the command line', () => {
  test('the stage file has the default stage, which is not protected; flags in cdk.json are ignored', () => {
    expect(readStages(CONTEXT)).toMatchObject([{ name: 'dev', isProtected: false }]);
  });

  test('stage=NAME is that stage, stage=all is each stage of the stage file', () => {
    expect(read({ stage: 'production' })).toEqual([PROTECTED]);
    expect(read({ stage: 'all' })).toEqual([
      { ...UNPROTECTED, name: 'dev', isTemplate: true },
      PROTECTED,
      { ...PROTECTED, name: 'bound', account: '111122223333', region: 'eu-west-1' },
    ]);
    expect(readStages({ stage: 'all' }).map(({ name }) => name)).toEqual(Object.keys(STAGES));
  });

  test('stage=dev-anna has the settings of dev without an entry', () => {
    expect(read({ stage: 'dev-anna' })).toEqual([{ ...UNPROTECTED, name: 'dev-anna' }]);
  });

  test('canary=off removes the canary and nothing else', () => {
    const { canaryMinutes: _, ...allAtOnce } = PROTECTED;
    expect(read({ stage: 'production', canary: 'off' })).toEqual([allAtOnce]);
  });

  test('alarmEmail overrides the stage file', () => {
    expect(read({ alarmEmail: 'a@example.com' })).toMatchObject([{ alarmEmail: 'a@example.com' }]);
  });

  const NAMES = 'dev, dev-NAME, production, bound';
  test.each([
    [{ stage: 'prdo' }, `Unknown stage "prdo"; choose one of: ${NAMES}.`],
    [{ stage: 'toString' }, `Unknown stage "toString"; choose one of: ${NAMES}.`],
    [{ stage: '' }, `Unknown stage ""; choose one of: ${NAMES}.`],
    [{ stage: 'production-anna' }, `Unknown stage "production-anna"; choose one of: ${NAMES}.`],
    [{ stage: 'dev-' }, 'Stage "dev-": a name has at most 30 lower-case letters, digits and single hyphens'],
    [{ canary: 'no' }, 'Unknown canary "no"; choose one of: on, off.'],
    [{ stgae: 'prod' }, 'Unknown context key "stgae"; choose one of: stage, canary, alarmEmail.'],
    [
      { alarmEmail: 'me' },
      'Stage dev: alarmEmail cannot be "me"; it must be one e-mail address, such as operators@example.com.',
    ],
  ])('%j is refused in one line', (context, message) => {
    expect(() => read(context)).toThrow(message);
  });
});

describe('a stage that belongs to an account and a Region', () => {
  const here = { CDK_DEFAULT_ACCOUNT: '111122223333', CDK_DEFAULT_REGION: 'eu-west-1' };
  const OTHER_ACCOUNT = { ...here, CDK_DEFAULT_ACCOUNT: '999999999999' };
  const OTHER_REGION = { ...here, CDK_DEFAULT_REGION: 'us-east-1' };

  test.each([
    [
      OTHER_ACCOUNT,
      'Stage bound belongs to account 111122223333, but the credentials are for account 999999999999.',
    ],
    [
      OTHER_REGION,
      'Stage bound belongs to Region eu-west-1, but the Region of the environment is us-east-1.',
    ],
  ])('is refused with %j, in one line', (environment, message) => {
    expect(() => read({ stage: 'bound' }, environment)).toThrow(message);
  });

  test.each([
    ['there', 'bound', here],
    ['without credentials, which can deploy nothing', 'bound', { CDK_DEFAULT_REGION: 'us-east-1' }],
    ['with all others, whose stacks the CDK compares', 'all', OTHER_ACCOUNT],
    ['but a stage that is bound to nothing can be deployed anywhere', 'production', OTHER_ACCOUNT],
  ])('is accepted %s', (_, stage, environment) => {
    expect(read({ stage }, environment).length).toBeGreaterThan(0);
  });
});

describe('the pipeline', () => {
  const here = { CDK_DEFAULT_ACCOUNT: '111122223333', CDK_DEFAULT_REGION: 'eu-west-1' };
  const pipeline = (context: Record<string, unknown>, environment: Record<string, string> = here) =>
    readPipeline(context, environment, FILE);

  test('is made instead of a stage, with the repository as GitHub’s tokens name it', () => {
    expect(pipeline({ stage: 'dev' })).toBeUndefined();
    for (const repository of ['octo/plants', 'octo-org@1/the.plants@22'])
      expect(pipeline({ repository })).toMatchObject({ repository, hasProvider: false });
    expect(pipeline({ repository: 'octo/plants', oidcProvider: 'existing' })).toMatchObject({
      hasProvider: true,
    });
  });

  test('deploys the stages that belong to the account and the Region, or to none', () => {
    const others = Object.keys(FILE).filter((name) => name !== 'bound');
    expect(pipeline({ repository: 'octo/plants' })?.stages).toEqual(Object.keys(FILE));
    const elsewhere = { ...here, CDK_DEFAULT_ACCOUNT: '999999999999' };
    expect(pipeline({ repository: 'octo/plants' }, elsewhere)?.stages).toEqual(others);
  });

  test.each([
    [{ repository: 'plants' }, 'repository cannot be "plants"; it must be OWNER@ID/NAME@ID, or OWNER/NAME'],
    // A pattern would let other repositories in.
    [{ repository: 'octo/*' }, 'repository cannot be "octo/*"'],
    [{ repository: 'octo@1/plants' }, 'repository cannot be "octo@1/plants"'],
    [{ repository: 'octo/plants:ref' }, 'repository cannot be "octo/plants:ref"'],
    [
      { repository: 'octo/plants', oidcProvider: 'old' },
      'Unknown oidcProvider "old"; choose one of: new, existing.',
    ],
    [
      { repository: 'octo/plants', stage: 'dev' },
      'Unknown context key "stage"; choose one of: repository, oidcProvider.',
    ],
  ])('refuses %j in one line', (context, message) => {
    expect(() => pipeline(context)).toThrow(message);
  });
});

describe('a stage made by a template', () => {
  test('does not get what belongs to one stage only: the domain and the borrowed tables', () => {
    const { domain, alarmEmail } = EVERYTHING;
    const file = {
      dev: { ...FILE.dev, domain, alarmEmail, borrowedTables: { plants: 'Plants-restored' } },
    };
    expect(findStage('dev-anna', file)).toEqual({ ...UNPROTECTED, name: 'dev-anna', alarmEmail });
  });

  test('has its own settings if it has an entry', () => {
    const file = { ...FILE, 'dev-anna': production };
    expect(findStage('dev-anna', file)).toEqual({ ...PROTECTED, name: 'dev-anna' });
  });
});

test('every stage of the stage file is valid', () => {
  expect(allStages().map(({ name }) => name)).toEqual(Object.keys(STAGES));
});
