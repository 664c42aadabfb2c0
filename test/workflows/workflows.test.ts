// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of GitHub look like those of a template string
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { read } from '../support/project.ts';

/** The jobs of a workflow as data: nothing runs them here, so their order and their conditions are what can be checked. */
const jobsOf = (name: string) => parse(read(`.github/workflows/${name}.yml`)).jobs;
const { synthesize, differences, deploy } = jobsOf('deploy-stage');
const { review } = jobsOf('review');

interface Step {
  uses?: string;
  run?: string;
  env?: Record<string, string>;
  with?: Record<string, string>;
}
interface Job {
  permissions?: Record<string, string>;
  steps: Step[];
}
/** What the steps of a job do, in order: the role that a step assumes, or its command. */
const stepsOf = ({ steps }: Job) =>
  steps.flatMap(({ run, with: options = {} }) => options['role-to-assume'] ?? run ?? []);

test('the tests run on every pull request, and on what a merge queue would merge, which waits for them', () => {
  const { on, jobs } = parse(read('.github/workflows/ci.yml'));
  expect(Object.keys(on)).toEqual(expect.arrayContaining(['pull_request', 'merge_group']));
  expect([jobs.templates.if, jobs.test.if]).toEqual([undefined, undefined]);
});

test('a stage is deployed by a job of its environment, after it is known who approves it, and verified with another role', () => {
  expect(deploy.environment).toBe('${{ inputs.stage }}');
  expect(stepsOf(deploy)).toEqual([
    '.ci/install deployer',
    '.github/may-deploy.sh "$STAGE"',
    '.github/unpack-cdk-out.sh "$SHA256"',
    '${{ vars.DEPLOY_ROLE }}',
    '${{ vars.VERIFY_ROLE }}',
    'npm run deploy -- --stage "$STAGE" --app cdk.out $CANARY -- --profile deploy',
    'npm run verify -- --stage "$STAGE" $WRITE',
  ]);
  expect(deploy.env.CANARY).toBe("${{ inputs.canary == 'off' && '--no-canary' || '' }}");
  // No step goes on after a failure.
  expect(JSON.stringify(deploy.steps)).not.toMatch(/"if"|continue-on-error/);
});

test('what is deployed is synthesized by a job without an identity, and is the cdk.out whose differences the approver sees', () => {
  expect(synthesize.permissions).toEqual({ contents: 'read' });
  expect(synthesize).not.toHaveProperty('environment');
  expect(stepsOf(synthesize)).toEqual([
    '.ci/install',
    'npx cdk synth --quiet -c "stage=$STAGE" -c "canary=$CANARY"',
    expect.stringMatching(/^tar -cf "\$RUNNER_TEMP\/cdk\.out\.tar" cdk\.out\n.*>> "\$GITHUB_OUTPUT"\n$/),
  ]);
  // With the role that reads templates, and done before the environment of the next job asks for approval.
  expect(differences.environment).toBe('review-${{ inputs.stage }}');
  expect([differences.needs, deploy.needs]).toEqual(['synthesize', ['synthesize', 'differences']]);
  expect(stepsOf(differences)).toEqual([
    '.ci/install deployer',
    '.github/unpack-cdk-out.sh "$SHA256"',
    '${{ vars.REVIEW_ROLE }}',
    'npm run --silent diff -- --app cdk.out --no-color "PlantStore-$STAGE" 2>&1 | .github/to-summary.sh "Differences of $STAGE"',
    'npm run --silent guard -- --stage "$STAGE" --app cdk.out 2>&1 | .github/to-summary.sh "The guard of $STAGE"',
  ]);
  // Where nothing lies that a file of theirs could replace.
  const folders = [differences, deploy].map(({ steps }: Job) =>
    steps.find(({ uses }) => uses?.startsWith('actions/download-artifact@')),
  );
  expect(folders.map((step) => step?.with?.path)).toEqual(Array(2).fill('${{ runner.temp }}/cdk-out'));
  const SHA256 = '${{ needs.synthesize.outputs.sha256 }}';
  expect([differences.env.SHA256, deploy.env.SHA256]).toEqual([SHA256, SHA256]);
  // Otherwise a failure before a pipe would pass.
  expect(parse(read('.github/workflows/deploy-stage.yml')).defaults).toEqual({ run: { shell: 'bash' } });
});

test('no job with an identity installs what the whole lock file has, or synthesizes', () => {
  const all = ['deploy-stage', 'review'].flatMap((name) => Object.values<Job>(jobsOf(name)));
  const [withIdentity, others] = [true, false].map((has) =>
    all.filter(({ permissions }) => (permissions?.['id-token'] === 'write') === has).flatMap(stepsOf),
  );
  expect(withIdentity?.filter((step) => /install|synth/.test(step))).toEqual(
    Array(3).fill('.ci/install deployer'),
  );
  expect(others?.filter((step) => /install|synth/.test(step))).toHaveLength(4);
});

// upload-artifact 4 and later refuse a second one: "Conflict: an artifact with this name already exists on the workflow run".
test('all jobs of a run can be run again: what one hands over replaces that of the attempt before', () => {
  const uploads = ['deploy-stage', 'review'].flatMap((name) =>
    Object.values<Job>(jobsOf(name)).flatMap(({ steps }) =>
      steps.filter(({ uses }) => uses?.startsWith('actions/upload-artifact@')),
    ),
  );
  expect(uploads.map(({ with: { overwrite } = {} }) => overwrite)).toEqual([true, true]);
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
  expect(review.needs).toBe('synthesize');
  expect(jobsOf('review').synthesize.if).toMatch(
    /^github\.event\.pull_request\.head\.repo\.full_name == github\.repository && /,
  );
  expect(stepsOf(review)).toEqual([
    '.ci/install deployer',
    '${{ vars.REVIEW_ROLE }}',
    'npm run diff -- --app cdk.out "PlantStore-$STAGE"',
    // Of all stages. `--allow` is for hands only: a loss is accepted in the stage file, which is reviewed.
    'npm run guard -- --stage "$STAGE" --app cdk.out',
  ]);
});
