import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PlainError } from '../../local/plain-error.ts';
import { readTemplates, type Template } from './template.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Runs the CDK app for a stage as `cdk synth` does, but without bundling the function, which takes the most time.
 * @returns the template
 * @throws PlainError with what the app printed if it fails
 */
export async function synthesise(stage: string, stack: string): Promise<Template | undefined> {
  const { context } = JSON.parse(await readFile(path.join(ROOT, 'cdk.json'), 'utf8'));
  const folder = await mkdtemp(path.join(tmpdir(), 'plant-store-guard-'));
  const env = {
    ...process.env,
    // Nothing is deployed, so the app must not refuse a stage of another account.
    CDK_DEFAULT_ACCOUNT: undefined,
    CDK_OUTDIR: folder,
    CDK_CONTEXT_JSON: JSON.stringify({ ...context, 'aws:cdk:bundling-stacks': [], stage }),
  };
  try {
    await promisify(execFile)(process.execPath, ['infra/start.mjs'], { cwd: ROOT, env });
    return readTemplates(folder).get(stack);
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    throw stderr ? new PlainError(`The CDK app failed: ${stderr.trim()}`) : error;
  } finally {
    await rm(folder, { recursive: true });
  }
}
