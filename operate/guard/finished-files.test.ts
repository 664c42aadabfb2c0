import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Json, TESTED_STAGES } from '../../test/infra/synth.ts';
import { finishedApp } from '../../test/support/finished-app.ts';
import { PROTECTED } from '../../test/support/test-stages.ts';
import { refuseMoreThanFiles } from './finished-files.ts';

const STACK = 'PlantStore-production';

test.each(TESTED_STAGES.map((stage) => [stage.name, stage] as const))(
  'what the CDK writes for stage %s may be deployed',
  (name, stage) => {
    const folder = finishedApp(stage);
    const template = readFileSync(path.join(folder, `PlantStore-${name}.template.json`), 'utf8');
    expect(() => refuseMoreThanFiles(folder, stage, template)).not.toThrow();
  },
);

/** How an asset is packed: the code of a function, and the template. */
const [CODE, TEMPLATE] = ['zip', 'file'];
const file = (assets: Json, packed: string | undefined) =>
  Object.values<Json>(assets.files).find(({ source }) => source.packaging === packed);
const destinations = (assets: Json, packed: string | undefined) =>
  Object.values<Json>(file(assets, packed).destinations);

test.each<[string, name: 'assets' | 'manifest', change: (json: Json) => void, place: string]>([
  [
    'a program that makes an asset',
    'assets',
    (assets) => (file(assets, CODE).source = { executable: ['sh', '-c', 'env'] }),
    'source',
  ],
  [
    'a program beside a file',
    'assets',
    (assets) => (file(assets, CODE).source.executable = ['sh', '-c', 'env']),
    'source',
  ],
  [
    'an image that is built',
    'assets',
    (assets) => (assets.dockerImages = { a: { source: { directory: 'a' }, destinations: {} } }),
    'dockerImages',
  ],
  ...['../secret', '/etc/hostname', '..', 'a/b'].map(
    (name): [string, 'assets', (json: Json) => void, string] => [
      `a file elsewhere: ${name}`,
      'assets',
      (assets) => (file(assets, CODE).source.path = name),
      'source.path',
    ],
  ),
  [
    'another template than the one that is compared',
    'assets',
    (assets) => (file(assets, TEMPLATE).source.path = 'other.json'),
    'in place of the template',
  ],
  [
    'a second one in its place',
    'assets',
    (assets) => (destinations(assets, CODE)[0].objectKey = destinations(assets, TEMPLATE)[0].objectKey),
    'in place of the template',
  ],
  [
    'an upload to another bucket',
    'assets',
    (assets) => (destinations(assets, TEMPLATE)[0].bucketName = 'cdk-other-assets-1-eu-west-1'),
    'bucketName',
  ],
  [
    'a template of another bucket',
    'manifest',
    ({ artifacts }) => {
      const { properties } = artifacts[STACK];
      properties.stackTemplateAssetObjectUrl = properties.stackTemplateAssetObjectUrl.replace(
        'cdk-',
        'cdk2-',
      );
    },
    'stackTemplateAssetObjectUrl',
  ],
  [
    'a template of another hash',
    'manifest',
    ({ artifacts }) => (artifacts[STACK].properties.stackTemplateAssetObjectUrl += 'x'),
    'stackTemplateAssetObjectUrl',
  ],
  [
    'another file of the template',
    'manifest',
    ({ artifacts }) => (artifacts[STACK].properties.templateFile = 'other.template.json'),
    'templateFile',
  ],
  [
    'another list of assets',
    'manifest',
    ({ artifacts }) => (artifacts[`${STACK}.assets`].properties.file = 'other.assets.json'),
    'properties.file',
  ],
  [
    'a stack that is deployed before',
    'manifest',
    ({ artifacts }) => artifacts[STACK].dependencies.push('Other'),
    'dependencies',
  ],
  [
    'another name of the stack',
    'manifest',
    ({ artifacts }) => (artifacts[STACK].properties.stackName = 'Other'),
    'properties',
  ],
  [
    'another role',
    'manifest',
    ({ artifacts }) => (artifacts[STACK].properties.assumeRoleArn = 'arn:aws:iam::111122223333:role/other'),
    'assumeRoleArn',
  ],
  [
    'no protection of the stack',
    'manifest',
    ({ artifacts }) => (artifacts[STACK].properties.terminationProtection = false),
    'terminationProtection',
  ],
  ['a question to AWS', 'manifest', (manifest) => (manifest.missing = [{}]), 'missing'],
])('a finished cdk.out is refused that has %s', (_, name, change, place) => {
  const folder = finishedApp(PROTECTED);
  const changed = path.join(folder, name === 'assets' ? `${STACK}.assets.json` : 'manifest.json');
  const json = JSON.parse(readFileSync(changed, 'utf8'));
  change(json);
  writeFileSync(changed, JSON.stringify(json));
  const template = readFileSync(path.join(folder, `${STACK}.template.json`), 'utf8');
  const refusal = () => refuseMoreThanFiles(folder, PROTECTED, template);
  expect(refusal).toThrow(`${changed} is not as the CDK writes it for ${STACK}: `);
  expect(refusal).toThrow(place);
});
