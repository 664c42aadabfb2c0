import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { App } from 'aws-cdk-lib';
import { expect, test, vi } from 'vitest';
import { BUNDLE } from '../../infra/bundle.ts';
import { checkWithNag } from '../../infra/cdk-nag.ts';
import { findStage } from '../../infra/find-stage.ts';
import { optionalVariables } from '../../infra/optional-code.ts';
import { PipelineStack } from '../../infra/pipeline-stack.ts';
import { PlantStoreStack } from '../../infra/plant-store-stack.ts';
import { isExhaustive } from '../support/exhaustive.ts';
import { bundleFile } from '../support/function-under-test.ts';
import { PACKAGES, ROOT } from '../support/project.ts';
import { commitAll, hasGit } from '../support/repository.ts';
import { temporaryFolder } from '../support/temporary-root.ts';
import { UNPROTECTED } from '../support/test-stages.ts';
import { runNode } from './run-node.ts';
import { CONTEXT, type Json, TESTED_STAGES } from './synth.ts';

let runs = 0;

/** Runs the app here, without a synth. @returns its lines on standard error, and the code with which it ends early */
async function runApp(context: object) {
  vi.stubEnv('CDK_CONTEXT_JSON', JSON.stringify(context));
  const print = vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw { code };
  });
  runs += 1;
  // With a query of its own, the module is evaluated again.
  const app = `${pathToFileURL(join(ROOT, 'infra/app.ts')).href}?run=${runs}`;
  const { code } = await import(/* @vite-ignore */ app).catch((thrown) => thrown);
  const lines = print.mock.calls.flat();
  vi.restoreAllMocks();
  return { code, lines };
}

test('an invalid option ends the app with one line and exit code 1', async () => {
  const said = expect.stringMatching(/^Unknown stage "prdo"; choose one of: .*\bdev-NAME\b.*\.$/);
  expect(await runApp({ stage: 'prdo' })).toEqual({ code: 1, lines: [said] });
});

test('the stack of the roles says what to do in an account that has a provider, unless told so', async () => {
  const context = { repository: 'octo/plants' };
  const said = /^The stack makes a provider for GitHub, .+ already exists, .+: -c oidcProvider=existing$/;
  expect((await runApp(context)).lines).toEqual([expect.stringMatching(said)]);
  expect(await runApp({ ...context, oidcProvider: 'existing' })).toEqual({ code: undefined, lines: [] });
});

test.runIf(isExhaustive('cdk-nag’s rules in the app'))(
  'the app checks its stacks with the rules of cdk-nag and of the CDK, and fails if one is broken',
  async () => {
    const context = { ...CONTEXT, stage: 'dev' };
    const folder = temporaryFolder();
    const environment = { CDK_CONTEXT_JSON: JSON.stringify(context), CDK_OUTDIR: folder, PATH: '' };
    const words = ['--import=./test/infra/unsafe-topic.ts', 'infra/run-app.mjs'];
    await expect(runNode(ROOT, words, environment)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^The commit is not known, and the alias will say so unless --commit does: there is no git here$/m,
      ),
    });
    const { pluginReports } = JSON.parse(await readFile(join(folder, 'validation-report.json'), 'utf8'));
    expect(pluginReports).toMatchObject([
      { conclusion: 'failure', violations: [{ ruleName: 'AwsSolutions-SNS3' }] },
      // AWS's own rule: a property that the type does not have.
      { conclusion: 'failure', violations: [{ ruleName: 'F3002' }] },
    ]);
  },
);

// `npm run synth` checks the stages of the stage file, and only prints warnings.
test.runIf(isExhaustive('cdk-nag’s rules on all tested stages and on the pipeline'))(
  'neither a stage nor the pipeline breaks a rule of cdk-nag or of the CDK, or gets a warning of one',
  async () => {
    const app = new App({ context: CONTEXT, builtinCloudFormationValidation: true });
    checkWithNag(app);
    for (const stage of [...TESTED_STAGES, UNPROTECTED]) new PlantStoreStack(app, stage);
    new PipelineStack(app, { repository: 'octo/plants', stages: ['dev'], hasProvider: false });
    app.synth();
    const report = await readFile(join(app.outdir, 'validation-report.json'), 'utf8');
    const violations = JSON.parse(report).pluginReports.flatMap((each: Json) => each.violations);
    const rules: string[] = violations.map((each: Json) => each.ruleName);
    // What the app itself says of a stage, as that it has no email for alarms.
    expect(rules.filter((rule) => !rule.startsWith('Annotation::'))).toEqual([]);
  },
);

const NOT_COPIED = ['.git', '.plant-store', 'cdk.out', 'coverage', 'node_modules'];

test('before npm ci, and after one without devDependencies, the app and each command print one line that says what to do', async () => {
  const bare = temporaryFolder();
  for (const part of ['infra', 'cli', 'local', 'package.json'])
    await cp(join(ROOT, part), join(bare, part), { recursive: true });
  const stderr = expect.stringMatching(
    /^This is not installed, .+ Run "npm ci --include=dev --include=optional && npm rebuild --ignore-scripts --bin-links"\.\n$/,
  );
  const start = ['--import', './cli/needs-node.mjs', 'local/start.ts'];
  for (const words of [['infra/run-app.mjs'], start])
    await expect(runNode(bare, words)).rejects.toMatchObject({ code: 1, stdout: '', stderr });
});

test.skipIf(!hasGit)(
  'a copy of the project has the same bundle, writes its commit into the alias, and canary=off omits the update policy',
  async () => {
    const folder = temporaryFolder();
    // With the folders that a service of one's own may have.
    for (const part of (await readdir(ROOT)).filter((each) => !NOT_COPIED.includes(each)))
      await cp(join(ROOT, part), join(folder, part), { recursive: true });
    await writeFile(join(folder, '.gitignore'), 'node_modules\n');
    await symlink(PACKAGES, join(folder, 'node_modules'));
    const commit = commitAll(folder);
    const out = temporaryFolder();
    const context = { ...CONTEXT, stage: 'prod', canary: 'off' };
    // The CDK's own rules would take half of the time.
    const environment = {
      CDK_OUTDIR: out,
      CDK_CONTEXT_JSON: JSON.stringify(context),
      CDK_VALIDATION: 'false',
    };
    await runNode(folder, ['infra/run-app.mjs'], environment);
    const asset = (await readdir(out)).find((name) => name.startsWith('asset.')) ?? '';
    // The same bytes in any folder.
    const handler = await readFile(join(out, asset, BUNDLE));
    const prod = findStage('prod');
    const bundled = await bundleFile(Object.keys(optionalVariables(prod)), prod.plain);
    expect(handler.equals(await readFile(bundled))).toBe(true);
    const template = JSON.parse(await readFile(join(out, 'PlantStore-prod.template.json'), 'utf8'));
    const { Live } = template.Resources;
    expect(Live.Properties.Description).toBe(`commit ${commit}`);
    expect(Live).not.toHaveProperty('UpdatePolicy');
  },
);
