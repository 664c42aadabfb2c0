import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { BUNDLE } from '../../infra/bundle.ts';
import { findStage } from '../../infra/find-stage.ts';
import { identityProvider } from '../../infra/identity-provider-setting.ts';
import { findLosses } from '../../operate/guard/losses.ts';
import type { Template } from '../../operate/guard/templates.ts';
import { bundleFile } from '../support/function-under-test.ts';
import { IDENTITY_PROVIDER } from '../support/identity-provider-setting.ts';
import { ROOT } from '../support/project.ts';
import { temporaryFolder } from '../support/temporary-root.ts';
import { EVERYTHING, PROTECTED } from '../support/test-stages.ts';
import { runNode } from './run-node.ts';
import { CONTEXT, copyOf, propertiesOf } from './synth.ts';

const OPEN_TO_ALL = [
  'https://token.actions.githubusercontent.com',
  'https://gitlab.com',
  'https://accounts.google.com',
  'https://agent.buildkite.com',
  'https://app.terraform.io',
];

// What the type check accepts in infra/stages.ts.
test.each<[change: object, line: string]>([
  [{ issuer: 'http://a.example' }, 'issuer: Invalid issuer; it must be an https address.'],
  [{ issuer: 'https://user:secret@a.example' }, 'issuer: Invalid issuer'],
  [{ issuer: 'https://a.example:99999' }, 'issuer: Invalid issuer'],
  [{ issuer: 'https://a.example?b' }, 'issuer: Invalid issuer'],
  [{ audience: 'plants ' }, 'audience: Invalid text; it must not be empty, nor begin or end with a space.'],
  [{ audience: ['plants', ''] }, 'audience.1: Invalid text'],
  [{ scope: 'a b' }, 'scope: Invalid scope'],
  [{ nameClaim: [] }, 'nameClaim: Too small'],
  [{ nameClaim: ' sub' }, 'nameClaim: Invalid text'],
  [{ tokenType: 'jwt' }, 'tokenType: Invalid input'],
  [{ ownTokens: true }, 'ownTokens: Invalid input'],
  [{ allowedClients: [] }, 'allowedClients: Too small'],
  [{ allowedClients: ['Grünzeug'] }, 'allowedClients.0: Invalid name; it must have 1 to 256 printable ASCII'],
  [{ allowedClients: ['n'.repeat(257)] }, 'allowedClients.0: Invalid name'],
  [{ allowedClients: Array(12).fill('n'.repeat(256)) }, ': Too long: at most 3000 characters as JSON.'],
  ...OPEN_TO_ALL.map((issuer): [object, string] => [
    { issuer, scope: undefined, allowedClients: undefined },
    'allowedClients: Needed, or scope, because anybody in the world can get a token of this issuer.',
  ]),
])('%j is refused in one line', (change, line) => {
  const { error } = identityProvider.safeParse({ ...IDENTITY_PROVIDER, ...change });
  const lines = error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}.`);
  expect(lines).toEqual([expect.stringContaining(line)]);
});

test.each([
  ...[{ allowedClients: ['repo:a/b'] }, { scope: 'create' }].map((limit) => ({
    ...{ issuer: 'https://gitlab.com', audience: ['a', 'b'], nameClaim: ['c', 'd'] },
    ...limit,
  })),
  { issuer: 'https://a.example/b@c', audience: 'a b', tokenType: 'at+jwt' },
])('%j is accepted, and not changed', (provider) => {
  expect(identityProvider.parse(provider)).toEqual(provider);
});

test('the function has the setting as a variable, and without a setting no such variable', () => {
  const variablesOf = (stage: typeof EVERYTHING | typeof PROTECTED) =>
    propertiesOf(copyOf(stage), 'AWS::Lambda::Function').Function.Environment.Variables;
  expect(variablesOf(EVERYTHING).IDENTITY_PROVIDER).toBe(
    '{"issuer":"https://login.example.com/","audience":"plants","scope":"create","allowedClients":["shop","garden"],' +
      '"nameClaim":["plants.example.com","client"],"tokenType":"at+jwt"}',
  );
  expect(variablesOf(PROTECTED)).not.toHaveProperty('IDENTITY_PROVIDER');
});

test('without tokens of our own, their table, permission, variable, outputs, metric and alarm go', () => {
  const identityProvider = { ...IDENTITY_PROVIDER, ownTokens: false as const };
  const synth = copyOf({ ...PROTECTED, identityProvider });
  expect(JSON.stringify(synth.template)).not.toMatch(/AccessTokens|ACCESS_TOKENS|FirstToken|token -- /);
  expect(Object.keys(propertiesOf(synth, 'AWS::DynamoDB::GlobalTable'))).toContain('Plants');
  expect(propertiesOf(synth, 'AWS::CloudWatch::Alarm')).not.toHaveProperty('UnknownTokens');
  const { RefusedTokens } = propertiesOf(synth, 'AWS::CloudWatch::Alarm');
  expect(RefusedTokens).toBeDefined();
});

test('the guard says that the table of a protected stage stays, unused', () => {
  const identityProvider = { ...IDENTITY_PROVIDER, ownTokens: false as const };
  const [before, after] = [PROTECTED, { ...PROTECTED, identityProvider }].map(
    (stage) => copyOf(stage).template,
  );
  const lines = findLosses(before as Template, after as Template).map(({ line }) => line);
  expect(lines).toContain(
    'AccessTokens (AWS::DynamoDB::GlobalTable) would be removed from the stack and left behind, unused.',
  );
});

test('the app says who gets in by an open provider, and bundles the code of one', async () => {
  const [folder, out] = [temporaryFolder(), temporaryFolder()];
  const stages = pathToFileURL(join(ROOT, 'infra/stages.ts'));
  const change = join(folder, 'provider.mjs');
  await writeFile(
    change,
    `import { STAGES } from '${stages}';
Object.assign(STAGES.prod, { identityProvider: { issuer: 'https://a.example', audience: ['plants', 'b'] } });
`,
  );
  const context = JSON.stringify({ ...CONTEXT, stage: 'prod' });
  const environment = { CDK_OUTDIR: out, CDK_CONTEXT_JSON: context, CDK_VALIDATION: 'false' };
  const { stderr } = await runNode(
    ROOT,
    [`--import=${pathToFileURL(change)}`, 'infra/run-app.mjs'],
    environment,
  );
  expect(stderr).toContain(
    'Stage prod: without scope and allowedClients, whoever gets a token of https://a.example for plants or b gets in.\n',
  );
  const asset = (await readdir(out)).find((name) => name.startsWith('asset.')) ?? '';
  const bytes = await readFile(join(out, asset, BUNDLE));
  expect(bytes.equals(await readFile(await bundleFile(['IDENTITY_PROVIDER'], findStage('prod').plain)))).toBe(
    true,
  );
});
