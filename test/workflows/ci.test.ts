import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const at = (file: string) => new URL(`../../${file}`, import.meta.url);
const read = (file: string) => readFileSync(at(file), 'utf8');
const WORKFLOWS = readdirSync(at('.github/workflows')).map((name) => `.github/workflows/${name}`);

/** The npm, npx and .ci/ commands of a shell script or of a workflow's steps. */
const commands = (file: string) =>
  read(file)
    .split('\n')
    .map((line) => line.replace(/^\s*(- run: )?/, ''))
    .filter((line) => /^(npm|npx|\.ci\/)/.test(line));

test('CI installs without install scripts, which npm 10 would run whether listed or not', () => {
  expect(commands('.ci/install')).toEqual([
    'npm ci --ignore-scripts',
    'npm rebuild --ignore-scripts --silent',
  ]);
  for (const file of ['.ci/run', ...WORKFLOWS]) {
    const installs = commands(file).filter((line) => /install|\bnpm (ci|i|add|rebuild)\b/.test(line));
    expect([...new Set(installs)]).toEqual(['.ci/install']);
  }
});

test('each npm script that a workflow runs is in package.json', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const names = WORKFLOWS.flatMap((file) =>
    [...read(file).matchAll(/run: npm (?:run )?([\w:-]+)/g)].map(([, script]) => script),
  );
  expect(names).toEqual(expect.arrayContaining(['lint', 'test', 'diff', 'guard', 'canary', 'verify']));
  // With --no-rollback, a failed deployment would leave the faulty version.
  expect(scripts.deploy).toBe('cdk deploy --require-approval never');
  // npm's own command: a script could hide that the registry did not respond.
  expect(scripts).not.toHaveProperty('audit');
  for (const name of names) expect([...Object.keys(scripts), 'audit']).toContain(name);
});
