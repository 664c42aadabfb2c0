import { describe, expect, test } from 'vitest';
import { UsageError } from '../../cli/command-line.ts';
import { readPipeline, readStages } from '../../infra/app-options.ts';
import { findStage } from '../../infra/find-stage.ts';
import { STAGES } from '../../infra/stages.ts';
import { EVERYTHING, PROTECTED, UNPROTECTED } from '../support/test-stages.ts';
import { CONTEXT } from './synth.ts';

const { name: _, ...trial } = UNPROTECTED;
const { name: __, ...production } = PROTECTED;
/** A stage file: `dev` is the default stage. */
const FILE = {
  dev: trial,
  production,
  bound: { ...production, account: '111122223333', region: 'eu-west-1' },
};
const DEV = { ...FILE.dev, name: 'dev' };
const HERE = { CDK_DEFAULT_ACCOUNT: '111122223333', CDK_DEFAULT_REGION: 'eu-west-1' };
const OTHER_ACCOUNT = { ...HERE, CDK_DEFAULT_ACCOUNT: '999999999999' };
const OTHER_REGION = { ...HERE, CDK_DEFAULT_REGION: 'us-east-1' };

const read = (context: object) => readStages({ ...context }, FILE);

test('without options, the stage is dev, which is not protected; flags in cdk.json are ignored', () => {
  expect(readStages(CONTEXT)).toMatchObject([{ name: 'dev', isProtected: false }]);
});

test('stage=all selects every stage of the stage file, and each is valid', () => {
  expect(readStages({ stage: 'all' }).map(({ name }) => name)).toEqual(Object.keys(STAGES));
});

test.each([
  [{}, DEV],
  [{ stage: 'production' }, PROTECTED],
  // It has no entry, and gets the settings of dev.
  [{ stage: 'dev-anna' }, { ...UNPROTECTED, name: 'dev-anna' }],
  // It belongs to the deployment.
  [{ stage: 'production', canary: 'off' }, PROTECTED],
  // The CDK's own: `cdk acknowledge` writes it.
  [{ 'acknowledged-issue-numbers': [12345] }, DEV],
  [{ alarmEmail: 'a@example.com' }, { ...DEV, alarmEmail: 'a@example.com' }],
])('%j selects one stage: %j', (context, stage) => {
  expect(read(context)).toEqual([stage]);
});

const NAMES = 'dev, production, bound, dev-NAME';
test.each([
  [{ stage: 'toString' }, `Unknown stage "toString"; choose one of: ${NAMES}.`],
  [{ stage: 'production-anna' }, `Unknown stage "production-anna"; choose one of: ${NAMES}.`],
  [{ canary: 'no' }, 'Unknown canary "no"; choose one of: on, off.'],
  [{ stgae: 'prod' }, 'Unknown context key "stgae"; choose one of: stage, canary, alarmEmail, commit.'],
  [{ commit: 'main' }, 'commit cannot be "main"; it must be 40 hexadecimal digits.'],
  [{ alarmEmail: 'me' }, 'Stage dev: alarmEmail: Invalid email address.'],
])('%j is refused in one line: %s', (context, message) => {
  expect(() => read(context)).toThrow(message);
});

describe('the pipeline', () => {
  const pipeline = (context: object, environment = HERE) => readPipeline({ ...context }, environment, FILE);

  test('is made instead of a stage, and deploys the stages that belong to the account and the Region, or to none', () => {
    expect(pipeline({ oidcProvider: 'existing' })).toBeUndefined();
    expect(pipeline({ repository: 'octo/plants' })).toEqual({
      repository: 'octo/plants',
      stages: ['dev', 'production', 'bound'],
      hasProvider: false,
    });
    const repository = 'octo-org@1/the.plants@22';
    for (const elsewhere of [OTHER_ACCOUNT, OTHER_REGION])
      expect(pipeline({ repository, oidcProvider: 'existing' }, elsewhere)).toEqual({
        repository,
        stages: ['dev', 'production'],
        hasProvider: true,
      });
    const workflow = 'octo/shared/.github/workflows/deploy.yml@refs/heads/main';
    expect(pipeline({ repository: 'octo/plants', workflow })).toMatchObject({ workflow });
  });

  test.each([
    [{ repository: 'plants' }, 'repository cannot be "plants"; it must be OWNER@ID/NAME@ID, or OWNER/NAME'],
    // A pattern would let other repositories in.
    [{ repository: 'octo/*' }, 'repository cannot be "octo/*"'],
    [{ repository: 'octo@1/plants' }, 'repository cannot be "octo@1/plants"'],
    [{ repository: 'o/p', oidcProvider: 'old' }, 'Unknown oidcProvider "old"; choose one of: new, existing.'],
    [
      { repository: 'o/p', workflow: 'o/p/.github/workflows/x.yml@*' },
      'workflow cannot be "o/p/.github/workflows/x.yml@*"',
    ],
    [{ repository: 'o/p', stage: 'dev' }, 'Unknown context key "stage"; choose one of: repository, oidc'],
  ])('%j is refused', (context, message) => {
    expect(() => pipeline(context)).toThrow(message);
  });
});

test('a developer’s own stage does not get what belongs to one stage only: its domain, pager, losses and silence', () => {
  const { domain, alarmEmail, pagerTopicArn, expectsPlants } = EVERYTHING;
  const dev = {
    ...FILE.dev,
    domain,
    pagerTopicArn,
    expectsPlants,
    acceptedLosses: ['Plants removed 0123456789ab'],
    alarmEmail,
  };
  expect(findStage('dev-anna', { dev })).toEqual({ ...UNPROTECTED, name: 'dev-anna', alarmEmail });
  expect(() => findStage('dev-anna', { dev: production })).toThrow(
    'Unknown stage "dev-anna"; choose one of: dev.',
  );
  // One with an entry has its own settings.
  expect(findStage('dev-anna', { dev, 'dev-anna': production })).toEqual({ ...PROTECTED, name: 'dev-anna' });
});

test('a stage that is not named is an invalid command', () => {
  expect(() => findStage(undefined)).toThrow(new UsageError('Name the stage: --stage NAME.'));
});
