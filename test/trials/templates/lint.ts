/**
 * What `npm run lint:templates` runs: cfn-lint, installed on first use, on the template of every stage, on one with every
 * option, and on that of the pipeline. `.cfnlintrc.yaml` has the exceptions.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { synth, synthPipeline, TESTED_STAGES } from '../../infra/synth.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** `npm ci` empties it, so another version is installed afterwards. */
const PYTHON = path.join(ROOT, 'node_modules/.cache/cfn-lint');
const CFN_LINT = path.join(PYTHON, 'bin/cfn-lint');

const reason = install();
if (reason === undefined) process.exitCode = lint();
else console.info(`${process.env.CI ? 'Failed' : 'Skipped'}: ${reason}`);
if (reason !== undefined && process.env.CI) process.exitCode = 1;

/** @returns why it cannot be installed here; undefined if it is installed */
function install(): string | undefined {
  if (existsSync(CFN_LINT)) return undefined;
  const requirements = path.join(import.meta.dirname, 'requirements.txt');
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--require-hashes'];
  try {
    execFileSync('python3', ['-m', 'venv', '--clear', PYTHON], { stdio: 'pipe' });
    execFileSync(path.join(PYTHON, 'bin/python'), [...pip, '-r', requirements], { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    const { stderr } = error as { stderr?: Buffer | null };
    return `cfn-lint cannot be installed here; it needs Python 3.10 or newer with venv, and PyPI.\n${stderr ?? error}`;
  }
}

/** @returns cfn-lint's exit code, which is not 0 if there is any finding */
function lint(): number {
  const folder = mkdtempSync(path.join(tmpdir(), 'plant-store-'));
  try {
    const templates = new Map<string, unknown>([['pipeline', synthPipeline()]]);
    for (const [name, stage] of Object.entries(TESTED_STAGES)) templates.set(name, synth(stage).template);
    for (const [name, template] of templates)
      writeFileSync(path.join(folder, `${name}.template.json`), JSON.stringify(template, undefined, 1));
    const { status } = spawnSync(CFN_LINT, [path.join(folder, '*.template.json')], {
      cwd: ROOT,
      stdio: 'inherit',
    });
    if (status === 0)
      console.info(`cfn-lint: no findings in the templates of ${[...templates.keys()].join(', ')}.`);
    return status ?? 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
