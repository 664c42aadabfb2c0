import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { modelCopy, startIn } from './model-copy.ts';
import { testOfHouse } from './test-house.ts';

/** Names of properties that something between a request and a file might take for something else. */
const NAMES = [
  // Every object inherits them.
  ...['constructor', 'toString', 'valueOf', 'isPrototypeOf', 'toJSON', 'then', 'length', 'prototype'],
  // Of JavaScript, YAML, JSON Schema and OpenAPI.
  ...[
    'items',
    'type',
    'required',
    'properties',
    'examples',
    'description',
    'const',
    'null',
    'default',
    'class',
  ],
  // Characters.
  ...[
    'a,b',
    'a;b',
    'a|b',
    'say "hi"',
    "it's",
    'back\\slash',
    '`tick`',
    'first-name',
    'two words',
    ' ',
    'größe',
  ],
  ...['@context', 'a.b', '$schema', '#a', ':a', 'a: b', '*', '-', '$&', '⋮', '🌿'],
  // Of DynamoDB's reserved words and expressions.
  ...['size', 'status', 'order', 'hash', 'range', 'value', 'attribute_exists', 'Item', 'S', 'N'],
  // Of our own messages, tests and files.
  ...['must', 'missing', 'plant', 'body', 'line', 'x', 'list', 'error', 'message', 'sep=,', 'NA'],
];
const REQUIRED = ['first-name', '@context', 'two words'];

const TEXT = { description: 'A text.', type: 'string' };
const WHOLE = Object.fromEntries(NAMES.map((name) => [name, `${name} 1`]));
let copy: ReturnType<typeof modelCopy>;
beforeAll(() => {
  copy = modelCopy(
    ['change', 'client-package', 'openapi-3.0'],
    {
      ...Object.fromEntries(NAMES.map((name) => [name, { ...TEXT, examples: [`${name} 1`, `${name} 2`] }])),
      inside: {
        type: 'object',
        description: 'All of them.',
        required: REQUIRED,
        properties: Object.fromEntries(NAMES.map((name) => [name, { type: 'string' }])),
        examples: [WHOLE, Object.fromEntries(REQUIRED.map((name) => [name, '2']))],
      },
    },
    REQUIRED,
  );
});

const least = Object.fromEntries(REQUIRED.map((name) => [name, `${name} 3`]));
const PLANTS = [
  { id: 1, name: 'Fern', ...WHOLE, inside: WHOLE },
  { id: 2, name: 'Fern', ...least },
  { id: 3, name: 'Fern', ...least, inside: least },
];
const CHANGED = [
  { ...PLANTS[1], id: 1, version: 2 },
  { ...PLANTS[0], id: 2, version: 2 },
  { ...PLANTS[2], id: 3, version: 2 },
];

const succeeds = (...words: string[]) =>
  expect(copy.run(words)).toEqual({ status: 0, said: expect.any(String) });

testOfHouse('the sources and the documents of any names are made, compile and pass the linters', () => {
  succeeds('commands/generate.ts');
  const biome = 'node_modules/@biomejs/biome/bin/biome';
  // What is written by hand is the same in every copy.
  succeeds(biome, 'check', '--write', '--vcs-enabled=false', 'lambda', 'client');
  succeeds('node_modules/typescript/bin/tsc');
  succeeds('node_modules/@redocly/cli/bin/cli.js', 'lint');
  succeeds('commands/generate.ts');
});

let service: Awaited<ReturnType<typeof startIn>> | undefined;
afterAll(() => service?.end());

/** A program of the copy: it sends each plant twice with the client, and prints what the client returns. */
const SEND = `import { createPlantStore } from './client/src/index.ts';
const [baseUrl, method, plants] = process.argv.slice(2);
const store = createPlantStore({ baseUrl, token: process.env.PLANT_STORE_TOKEN, maxAttempts: 1 });
for (const plant of JSON.parse(plants))
  for (const _ of [1, 2]) console.info(JSON.stringify(await store[method](plant)));
`;

testOfHouse(
  'plants with any names are created, changed, repeated, exported and imported, and the service conforms',
  async () => {
    service = await startIn(copy.folder);
    const { url, token, data } = service;
    writeFileSync(path.join(copy.folder, 'send.ts'), SEND);
    for (const [method, plants] of [
      ['createPlant', PLANTS],
      ['changePlant', CHANGED],
    ] as const) {
      const { said } = copy.run(['send.ts', url, method, JSON.stringify(plants)], token);
      const returned = plants.map(({ id: _, ...plant }) => plant);
      expect(
        said
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ).toEqual(returned.flatMap((plant) => [plant, plant]));
    }
    const files = ['ndjson', 'csv'].map((ending) => path.join(copy.folder, `plants.${ending}`));
    for (const file of files) succeeds('commands/plants.ts', 'export', file, '--data', data);
    const [ndjson = '', csv = ''] = files.map((file) => readFileSync(file, 'utf8'));
    const exported = (text: string) =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    expect(exported(ndjson)).toEqual(expect.arrayContaining(CHANGED));
    for (const [n, file] of files.entries()) {
      succeeds('commands/plants.ts', 'delete', '--ids', files[0] ?? '', '--yes', '--data', data);
      succeeds('commands/import.ts', file, '--data', data);
      const again = path.join(copy.folder, `again-${n}.ndjson`);
      succeeds('commands/plants.ts', 'export', again, '--data', data);
      expect(exported(readFileSync(again, 'utf8'))).toHaveLength(3);
      expect(exported(readFileSync(again, 'utf8'))).toEqual(expect.arrayContaining(CHANGED));
    }
    expect(csv.split('\n')).toHaveLength(5);
  },
);

testOfHouse('the service with any names conforms to its contract', () => {
  const { url = '', token = '' } = service ?? {};
  const { status, said } = copy.run(['commands/verify.ts', '--url', url, '--write'], token);
  expect({ status, said }).toEqual({
    status: 0,
    said: expect.stringContaining('conforms to the contract'),
  });
});
