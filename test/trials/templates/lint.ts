/**
 * What `npm run lint:templates` runs: cfn-lint on the templates of TESTED_STAGES and of the pipeline. `.cfnlintrc.yaml` has
 * the exceptions.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { synth, synthPipeline, TESTED_STAGES } from '../../infra/synth.ts';
import { temporaryFolder } from '../../support/temporary-root.ts';
import { installOrSkip, installPython, ROOT } from '../installation.ts';

const commands = installOrSkip('Python 3.10 or newer with venv, and PyPI', () =>
  installPython(
    'cfn-lint',
    'python3',
    '--require-hashes',
    '-r',
    path.join(import.meta.dirname, 'requirements.txt'),
  ),
);
const folder = temporaryFolder();
const templates = new Map<string, unknown>([['pipeline', synthPipeline(false).template]]);
for (const [name, stage] of Object.entries(TESTED_STAGES)) templates.set(name, synth(stage).template);
for (const [name, template] of templates)
  writeFileSync(path.join(folder, `${name}.template.json`), JSON.stringify(template, undefined, 1));
const { status } = spawnSync(path.join(commands, 'cfn-lint'), [path.join(folder, '*.template.json')], {
  cwd: ROOT,
  stdio: 'inherit',
});
if (status === 0)
  console.info(`cfn-lint: no findings in the templates of ${[...templates.keys()].join(', ')}.`);
process.exitCode = status ?? 1;
