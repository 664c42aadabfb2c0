import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, read } from '../support/project.ts';

const WORKFLOWS = readdirSync(path.join(ROOT, '.github/workflows')).map(
  (name) => `.github/workflows/${name}`,
);

/** The npm, npx and .ci/ commands of a shell script or of a workflow's steps. */
const commands = (file: string) =>
  read(file)
    .split('\n')
    .map((line) => line.replace(/^\s*(- run: |\(cd "\$folder" && )?/, ''))
    .filter((line) => /^(npm|npx|\.ci\/)/.test(line));

test('CI installs without install scripts, which npm 10 would run whether listed or not', () => {
  expect(commands('.ci/install')).toEqual([
    'npm ci --ignore-scripts && npm rebuild --ignore-scripts --silent)',
    'npm ci --ignore-scripts',
    'npm rebuild --ignore-scripts --silent',
  ]);
  for (const file of ['.ci/run', ...WORKFLOWS]) {
    const installs = commands(file).filter((line) => /install|\bnpm (ci|i|add|rebuild)\b/.test(line));
    expect(installs.filter((line) => !/^\.ci\/install( deployer)?$/.test(line))).toEqual([]);
  }
});
