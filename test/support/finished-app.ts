import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PlantStoreStack } from '../../infra/plant-store-stack.ts';
import { stackName } from '../../infra/stack-names.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { type Json, newApp } from '../infra/synth.ts';

/** Writes a finished `cdk.out` of a stage. @param change of its template, which the CDK uploads under its hash @returns the folder */
export function finishedApp(stage: Stage, change: (template: Json) => void = () => undefined): string {
  // As in a deployment, a second function of one's own is bundled.
  const app = newApp({ 'aws:cdk:bundling-stacks': ['**'] });
  new PlantStoreStack(app, stage);
  const { directory } = app.synth();
  const file = (name: string) => path.join(directory, name);
  const stack = stackName(stage.name);
  const before = readFileSync(file(`${stack}.template.json`), 'utf8');
  const template = JSON.parse(before);
  change(template);
  const after = JSON.stringify(template);
  writeFileSync(file(`${stack}.template.json`), after);
  for (const name of [`${stack}.assets.json`, 'manifest.json']) {
    const text = readFileSync(file(name), 'utf8');
    writeFileSync(file(name), text.replaceAll(hash('sha256', before), hash('sha256', after)));
  }
  return directory;
}
