import { describe, expect, test } from 'vitest';
import { readPipeline, readStages } from '../../infra/context.ts';
import { findStage } from '../../infra/find-stage.ts';
import { STAGES } from '../../infra/stages.ts';
import { CONTEXT, EVERYTHING, PROTECTED, UNPROTECTED } from './synth.ts';

const { name: _, ...trial } = UNPROTECTED;
const { name: __, ...production } = PROTECTED;
/** A stage file: `dev` is the default stage. */
const FILE = {
  dev: { ...trial, isTemplate: true },
  production,
  bound: { ...production, account: '111122223333', region: 'eu-west-1' },
};
const DEV = { ...FILE.dev, name: 'dev' };
const BOUND = { ...FILE.bound, name: 'bound' };
const HERE = { CDK_DEFAULT_ACCOUNT: '111122223333', CDK_DEFAULT_REGION: 'eu-west-1' };
const OTHER_ACCOUNT = { ...HERE, CDK_DEFAULT_ACCOUNT: '999999999999' };
const OTHER_REGION = { ...HERE, CDK_DEFAULT_REGION: 'us-east-1' };

const read = (context: object, environment = {}) => readStages({ ...context }, environment, FILE);

describe('the options of the command line', () => {
  test('without options, the stage is dev, which is not protected; flags in cdk.json are ignored', () => {
    expect(readStages(CONTEXT)).toMatchObject([{ name: 'dev', isProtected: false }]);
  });

  test('stage=all selects every stage of the stage file, and each is valid', () => {
    expect(read({ stage: 'all' })).toEqual([DEV, PROTECTED, BOUND]);
    expect(readStages({ stage: 'all' }).map(({ name }) => name)).toEqual(Object.keys(STAGES));
  });

  test.each([
    [{}, DEV],
    [{ stage: 'production' }, PROTECTED],
    // It has no entry, and gets the settings of dev.
    [{ stage: 'dev-anna' }, { ...UNPROTECTED, name: 'dev-anna' }],
    // It belongs to the deployment.
    [{ stage: 'production', canary: 'off' }, PROTECTED],
    [{ alarmEmail: 'a@example.com' }, { ...DEV, alarmEmail: 'a@example.com' }],
  ])('%j selects one stage: %j', (context, stage) => {
    expect(read(context)).toEqual([stage]);
  });

  const NAMES = 'dev, dev-NAME, production, bound';
  test.each([
    [{ stage: 'toString' }, `Unknown stage "toString"; choose one of: ${NAMES}.`],
    [{ stage: 'production-anna' }, `Unknown stage "production-anna"; choose one of: ${NAMES}.`],
    [{ canary: 'no' }, 'Unknown canary "no"; choose one of: on, off.'],
    [{ stgae: 'prod' }, 'Unknown context key "stgae"; choose one of: stage, canary, alarmEmail.'],
    [{ alarmEmail: 'me' }, 'Stage dev: alarmEmail: Invalid email address.'],
  ])('%j is refused in one line', (context, message) => {
    expect(() => read(context)).toThrow(message);
  });
});

describe('the account and the Region of a stage', () => {
  test.each([
    [OTHER_ACCOUNT, 'account 111122223333, but the credentials are for account 999999999999.'],
    [OTHER_REGION, 'Region eu-west-1, but the Region of the environment is us-east-1.'],
  ])('in another one, the stage is refused in one line: %j', (environment, message) => {
    expect(() => read({ stage: 'bound' }, environment)).toThrow(`Stage bound belongs to ${message}`);
  });

  test.each([
    ['in its own account and Region', 'bound', HERE],
    ['without credentials, because nothing can be deployed', 'bound', { CDK_DEFAULT_REGION: 'us-east-1' }],
    ['with stage=all, because the CDK itself compares them', 'all', OTHER_ACCOUNT],
    ['anywhere, if it names neither', 'production', OTHER_ACCOUNT],
  ])('a stage is accepted %s', (_, stage, environment) => {
    expect(read({ stage }, environment).length).toBeGreaterThan(0);
  });
});

// stage-settings.test.ts tests what a stage itself says about their places.
test('a pager or a certificate that is elsewhere than the deployment is refused, if something is deployed', () => {
  const { pagerTopicArn } = EVERYTHING;
  const deploy = (environment: object) =>
    readStages({ stage: 'paged' }, { ...environment }, { paged: { ...production, pagerTopicArn } });
  const message = 'Stage paged: pagerTopicArn: It must belong to account 999999999999.';
  expect(() => deploy(OTHER_ACCOUNT)).toThrow(message);
  expect([deploy(HERE).length, deploy({}).length]).toEqual([1, 1]);
});

describe('the pipeline', () => {
  const pipeline = (context: Record<string, unknown>, environment = HERE) =>
    readPipeline(context, environment, FILE);

  test.each([
    ['octo/plants', 'new', false],
    ['octo-org@1/the.plants@22', 'existing', true],
  ])('is made instead of a stage for %s with oidcProvider=%s', (repository, oidcProvider, hasProvider) => {
    const stages = ['dev', 'production', 'bound'];
    expect(pipeline({ repository, oidcProvider })).toEqual({ repository, stages, hasProvider });
    expect(pipeline({ oidcProvider })).toBeUndefined();
  });

  test('deploys the stages that belong to the account and the Region, or to none', () => {
    expect(pipeline({ repository: 'octo/plants' }, OTHER_ACCOUNT)?.stages).toEqual(['dev', 'production']);
  });

  test.each([
    [{ repository: 'plants' }, 'repository cannot be "plants"; it must be OWNER@ID/NAME@ID, or OWNER/NAME'],
    // A pattern would let other repositories in.
    [{ repository: 'octo/*' }, 'repository cannot be "octo/*"'],
    [{ repository: 'octo@1/plants' }, 'repository cannot be "octo@1/plants"'],
    [{ repository: 'o/p', oidcProvider: 'old' }, 'Unknown oidcProvider "old"; choose one of: new, existing.'],
    [
      { repository: 'o/p', stage: 'dev' },
      'Unknown context key "stage"; choose one of: repository, oidcProvider.',
    ],
  ])('%j is refused', (context, message) => {
    expect(() => pipeline(context)).toThrow(message);
  });
});

describe('a stage made from a template', () => {
  test('does not get what belongs to one stage only: its domain, pager, losses and silence', () => {
    const { domain, alarmEmail, pagerTopicArn, expectsPlants } = EVERYTHING;
    const dev = { ...FILE.dev, domain, pagerTopicArn, expectsPlants, acceptedLosses: ['any'], alarmEmail };
    expect(findStage('dev-anna', { dev })).toEqual({ ...UNPROTECTED, name: 'dev-anna', alarmEmail });
  });

  test('has its own settings if it has an entry', () => {
    const file = { ...FILE, 'dev-anna': production };
    expect(findStage('dev-anna', file)).toEqual({ ...PROTECTED, name: 'dev-anna' });
  });
});
