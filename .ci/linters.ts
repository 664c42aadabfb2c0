/** `npx node .ci/linters.ts`: runs cfn-lint on every template (`.cfnlintrc.yaml` has the exceptions), and zizmor on the workflows. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { runCommand } from '../cli/command-line.ts';
import { ROOT } from '../test/support/project.ts';
import { temporaryFolder } from '../test/support/temporary-root.ts';
import { installPython } from './install-python.ts';

await runCommand({
  usage: 'npx node .ci/linters.ts',
  about:
    'Runs cfn-lint on the templates of the tested stages and of the pipeline, and zizmor on the workflows.',
  options: {},
  async main() {
    const requirements = path.join(import.meta.dirname, 'requirements.txt');
    const needs = 'Python 3.11 or newer with venv, and PyPI';
    const commands = installPython('linters', 'python3', needs, requirements);
    const { synth, synthPipeline, TESTED_STAGES } = await import('../test/infra/synth.ts');
    const templates = new Map<string, unknown>([['pipeline', synthPipeline(false).template]]);
    for (const [name, stage] of Object.entries(TESTED_STAGES)) templates.set(name, synth(stage).template);
    const folder = temporaryFolder();
    for (const [name, template] of templates)
      writeFileSync(path.join(folder, `${name}.template.json`), JSON.stringify(template, undefined, 1));
    const files = path.join(folder, '*.template.json');
    const run = (linter: string, ...args: string[]) =>
      spawnSync(path.join(commands, linter), args, { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
    const status = run('cfn-lint', files) || run('zizmor', '--offline', '--quiet', '.github');
    if (status === 0)
      console.info(`No findings in the workflows and the templates of ${[...templates.keys()].join(', ')}.`);
    return status === 0;
  },
});
