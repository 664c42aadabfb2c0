// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of GitHub look like those of a template string
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { read } from '../support/project.ts';

/** The jobs of a workflow as data: nothing runs them here, so their order and their conditions are what can be checked. */
const jobsOf = (name: string) => parse(read(`.github/workflows/${name}.yml`)).jobs;
const { deploy } = jobsOf('deploy-stage');
const { review } = jobsOf('review');

interface Step {
  run?: string;
  env?: Record<string, string>;
  with?: Record<string, string>;
}
/** What the steps of a job do, in order: the role that a step assumes, or its command. */
const stepsOf = ({ steps }: { steps: Step[] }) =>
  steps.flatMap(({ run, with: options = {} }) => options['role-to-assume'] ?? run ?? []);

test('the tests run on every pull request, and on what a merge queue would merge, which waits for them', () => {
  const { on, jobs } = parse(read('.github/workflows/ci.yml'));
  expect(Object.keys(on)).toEqual(expect.arrayContaining(['pull_request', 'merge_group']));
  expect([jobs.templates.if, jobs.test.if]).toEqual([undefined, undefined]);
});

test('a stage is deployed by a job of its environment, after it is known who approves it, and verified with another role', () => {
  expect(deploy.environment).toBe('${{ inputs.stage }}');
  expect(stepsOf(deploy)).toEqual([
    '.ci/install',
    '.github/may-deploy.sh "$STAGE"',
    '${{ vars.DEPLOY_ROLE }}',
    '${{ vars.VERIFY_ROLE }}',
    'npm run deploy -- --stage "$STAGE" $CANARY -- --profile deploy',
    'npm run verify -- --stage "$STAGE" $WRITE',
  ]);
  expect(deploy.env.CANARY).toBe("${{ inputs.canary == 'off' && '--no-canary' || '' }}");
  // No step goes on after a failure.
  expect(JSON.stringify(deploy.steps)).not.toMatch(/"if"|continue-on-error/);
});

test('no key outlives the job on a runner that lives on: its temporary folder, which GitHub empties after each job, has the profile', () => {
  const env = {
    AWS_SHARED_CREDENTIALS_FILE: '${{ runner.temp }}/aws-credentials',
    AWS_CONFIG_FILE: '${{ runner.temp }}/aws-config',
  };
  const ofProfile = (deploy.steps as Step[]).filter(
    ({ run = '', with: options = {} }) => options['aws-profile'] || run.includes('--profile'),
  );
  expect(ofProfile.map((step) => step.env)).toEqual([env, env]);
});

test('only main is deployed: after all tests to dev, and to prod once dev is verified', () => {
  const { 'deploy-dev': dev, 'deploy-prod': prod, ...others } = jobsOf('ci');
  const uses = './.github/workflows/deploy-stage.yml';
  const canary = "${{ inputs.canary || 'on' }}";
  expect(dev).toMatchObject({
    needs: ['templates', 'test'],
    uses,
    with: { stage: 'dev', write: true, canary },
  });
  expect(dev.if).toMatch(/^github\.ref == 'refs\/heads\/main' && /);
  // Without `write`, which would store plants in prod, and without a condition, which could hide that dev failed.
  expect(prod).toMatchObject({ needs: 'deploy-dev', uses });
  expect(prod.with).toEqual({ stage: 'prod', canary });
  expect(prod).not.toHaveProperty('if');
  expect(JSON.stringify(others)).not.toMatch(/deploy|id-token|secrets/);
});

test('a review has its own environment and role, only for branches of this repository, and deploys nothing', () => {
  expect(review.environment).toBe('review-${{ matrix.stage }}');
  expect(review.if).toMatch(/^github\.event\.pull_request\.head\.repo\.full_name == github\.repository && /);
  expect(stepsOf(review)).toEqual([
    '.ci/install',
    '${{ vars.REVIEW_ROLE }}',
    'npm run diff -- -c "stage=$STAGE"',
    // Of all stages. `--allow` is for hands only: a loss is accepted in the stage file, which is reviewed.
    'npm run guard -- --stage "$STAGE"',
  ]);
});
