// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of GitHub look like those of a template string
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

/** A workflow as data: nothing runs it here, so its order and its conditions are what can be checked. */
const workflow = (name: string) =>
  parse(readFileSync(new URL(`../../.github/workflows/${name}.yml`, import.meta.url), 'utf8'));
const ci = workflow('ci');
const { jobs: deployment } = workflow('deploy-stage');
const { jobs: reviews } = workflow('review');
const CANARY = "${{ inputs.canary || 'on' }}";

interface Step {
  run?: string;
  with?: Record<string, string>;
  env?: Record<string, string>;
  if?: string;
  'continue-on-error'?: boolean;
}
/**
 * What the steps of a job do, in order: the role that a step assumes, or its command, after the profile that it makes or uses; then
 * whether it runs after a failure, or goes on after its own.
 */
const stepsOf = (job: { steps: Step[] }) =>
  job.steps.flatMap(({ run, with: options = {}, env = {}, if: condition, 'continue-on-error': goesOn }) => {
    const profile = options['aws-profile'] ?? env.AWS_PROFILE;
    const does = options['role-to-assume'] ?? run;
    return does ? [[profile, does, condition, goesOn].filter(Boolean).join(': ')] : [];
  });

test('a stage is deployed by a job of its environment, and compared and checked with another role', () => {
  expect(Object.keys(deployment)).toEqual(['deploy']);
  expect(deployment.deploy.environment).toBe('${{ inputs.stage }}');
  expect(stepsOf(deployment.deploy)).toEqual([
    '.ci/install',
    '.github/may-deploy.sh "$STAGE"',
    'deploy: ${{ vars.DEPLOY_ROLE }}',
    '${{ vars.VERIFY_ROLE }}',
    'npm run deploy -- --stage "$STAGE" $CANARY -- --profile deploy',
    'npm run verify -- --stage "$STAGE" $WRITE',
  ]);
  expect(deployment.deploy.env.CANARY).toBe("${{ inputs.canary == 'off' && '--no-canary' || '' }}");
});

test('only main is deployed, by a push or by hand: after all tests to dev, and to prod once dev is verified', () => {
  const { 'deploy-dev': dev, 'deploy-prod': prod, ...others } = ci.jobs;
  expect(ci.on.push).toEqual({ branches: ['main'] });
  expect(dev).toMatchObject({
    if:
      "github.ref == 'refs/heads/main' && vars.AWS_REGION != '' && " +
      "(github.event_name == 'push' || github.event_name == 'workflow_dispatch')",
    needs: ['templates', 'test'],
    uses: './.github/workflows/deploy-stage.yml',
    with: { stage: 'dev', write: true, canary: CANARY },
  });
  expect(prod).toMatchObject({ needs: 'deploy-dev', uses: './.github/workflows/deploy-stage.yml' });
  // Without `write`, which would store plants in prod, and without a condition, which could hide that dev failed.
  expect(prod.with).toEqual({ stage: 'prod', canary: CANARY });
  expect(prod).not.toHaveProperty('if');
  expect(JSON.stringify(others)).not.toMatch(/deploy|id-token|secrets/);
});

test('before a deployment, GitHub and AWS are asked with permission to read only', () => {
  const permissions = { contents: 'read', 'id-token': 'write', actions: 'read' };
  // A called workflow gets no more than its caller gives it.
  for (const job of [deployment.deploy, ci.jobs['deploy-dev'], ci.jobs['deploy-prod']])
    expect(job.permissions).toEqual(permissions);
  expect(reviews.review.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
});

test('a review has its own environment and role, and only for branches of this repository', () => {
  expect(reviews.review.environment).toBe('review-${{ matrix.stage }}');
  expect(reviews.review.if).toContain(
    'github.event.pull_request.head.repo.full_name == github.repository &&',
  );
  expect(stepsOf(reviews.review)).toEqual([
    '.ci/install',
    '${{ vars.REVIEW_ROLE }}',
    'npm run diff -- -c "stage=$STAGE"',
    // Of all stages. `--allow` is for hands only: a loss is accepted in the stage file, which is reviewed.
    'npm run guard -- --stage "$STAGE"',
  ]);
});
