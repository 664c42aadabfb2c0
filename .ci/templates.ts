/** `npx node .ci/templates.ts`: runs cfn-lint on every template. `.cfnlintrc.yaml` has the exceptions. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { runCommand } from '../cli/command-line.ts';
import { temporaryFolder } from '../test/support/temporary-root.ts';
import { installOrFail, installPython, ROOT } from './installation.ts';

await runCommand(
  {
    usage: 'npx node .ci/templates.ts',
    about: 'Runs cfn-lint on the templates of the tested stages and of the pipeline.',
    options: {},
  },
  async () => {
    const pip = ['--require-hashes', '-r', path.join(import.meta.dirname, 'requirements.txt')];
    const commands = installOrFail('Python 3.10 or newer with venv, and PyPI', () =>
      installPython('cfn-lint', 'python3', ...pip),
    );
    const { synth, synthPipeline, TESTED_STAGES } = await import('../test/infra/synth.ts');
    const templates = new Map<string, unknown>([['pipeline', synthPipeline(false).template]]);
    for (const [name, stage] of Object.entries(TESTED_STAGES)) templates.set(name, synth(stage).template);
    const folder = temporaryFolder();
    for (const [name, template] of templates)
      writeFileSync(path.join(folder, `${name}.template.json`), JSON.stringify(template, undefined, 1));
    const files = path.join(folder, '*.template.json');
    const { status } = spawnSync(path.join(commands, 'cfn-lint'), [files], { cwd: ROOT, stdio: 'inherit' });
    if (status === 0)
      console.info(`cfn-lint: no findings in the templates of ${[...templates.keys()].join(', ')}.`);
    process.exitCode = status ?? 1;
  },
);
