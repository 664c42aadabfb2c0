import { expect, test } from 'vitest';
import { PlainError } from '../../cli/plain-error.ts';
import { manifestsOf, planAddition, planCopy } from './plan.ts';

const steps = `import { always } from './always.ts';
import { page } from './page/page.ts';
import { start, stop } from './run.ts';

export const STEPS = [
  // The page.
  {
    name: 'page',
    run: page,
  },
  {
    name: 'always',
    run: always,
  },
];

export const NAMES = ['page', 'always'];
`;
/** A repository with two parts and two operations. */
const HOUSE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '.ci/copy/house.yaml': `about: What no copy has.
files: [lab]
lines:
  README.md:
    - list: '| folder | what |'
      lines: |
        | lab/ | trials |
`,
    '.ci/copy/parts/page.yaml': `about: A page.
files: [page/, docs/page.md]
lines:
  steps.ts:
    - list: export const STEPS = [
      lines: |
        // The page.
        {
          name: 'page',
          run: page,
        },
    - list: export const NAMES = [
      lines: |
        'page',
    - imports: |
        import { page } from './page/page.ts';
        import { stop } from './run.ts';
  docs/log.md:
    - list: 'It says:'
      lines: |
        - what the page shows
json:
  package.json:
    scripts: { page: node page.ts }
    dependencies: [pages]
    workspaces: [page]
`,
    '.ci/copy/parts/log.yaml': `about: A log.
files: [docs/log.md]
`,
    'operations/read/manifest.yaml': `about: Reads one.
order: 1
lines:
  steps.ts:
    - list: export const NAMES = [
      lines: |
        'read',
merge: { api.yaml: api.yaml }
`,
    'operations/read/api.yaml': `paths:
  /things/{id}:
    # Of one.
    get:
      summary: |
        Reads.
`,
    'operations/read/files/read.ts': 'export const read = 1;\n',
    'operations/change/manifest.yaml': `about: Changes one.
order: 2
needs: [read]
lines:
  steps.ts:
    - list: export const NAMES = [
      lines: |
        'change',
merge: { api.yaml: api.yaml }
patch: difference.patch
`,
    'operations/change/api.yaml': `paths:
  /things/{id}:
    put: { summary: Changes. }
`,
    'operations/change/difference.patch': `--- a/read.ts
+++ b/read.ts
@@ -7,1 +7,2 @@
-export const read = 1;
+export const read = 1;
+export const change = 2;
`,
    'README.md': `# A house

| folder | what |
|---|---|
| page/ | a page |
| lab/ | trials |

End.
`,
    'api.yaml': `# The contract.
paths:
  /things:
    post:
      summary: >
        Creates.
servers: []
`,
    'docs/log.md': 'It says:\n\n- when\n- what the page shows\n\nEnd.\n',
    'docs/page.md': '# Page\n',
    'lab/run.ts': '',
    'page/page.ts': 'export const page = 1;\n',
    'steps.ts': steps,
    'package.json': `{
  "scripts": { "a": "a", "page": "node page.ts", "z": "z" },
  "workspaces": ["page"],
  "dependencies": { "a": "1", "pages": "^2.3.4" }
}
`,
  }),
);

const less = `import { always } from './always.ts';
import { start } from './run.ts';

export const STEPS = [
  {
    name: 'always',
    run: always,
  },
];

export const NAMES = [
  'always',
];
`;
const lessJson = `{
  "scripts": {
    "a": "a",
    "z": "z"
  },
  "dependencies": {
    "a": "1"
  }
}
`;

test('a copy has no part that is not named, and no line of it', () => {
  expect(Object.fromEntries(planCopy(HOUSE, []))).toEqual({
    'README.md': '# A house\n\n| folder | what |\n|---|---|\n| page/ | a page |\n\nEnd.\n',
    'api.yaml': HOUSE.get('api.yaml'),
    'steps.ts': less,
    'package.json': lessJson,
  });
});

test('a part stays whole, and has the lines of other parts only if they stay', () => {
  const log = planCopy(HOUSE, ['log']);
  expect(log.get('docs/log.md')).toBe('It says:\n\n- when\n\nEnd.\n');
  expect(log.get('steps.ts')).toBe(less);
  const both = planCopy(HOUSE, ['log', 'page']);
  expect(both.get('docs/log.md')).toBe(HOUSE.get('docs/log.md'));
  expect(both.get('steps.ts')).toBe(steps);
});

test('an operation comes with its files, lines, contract and difference, and with those that it needs', () => {
  const copy = planCopy(HOUSE, ['change']);
  expect(copy.get('read.ts')).toBe('export const read = 1;\nexport const change = 2;\n');
  expect(copy.get('steps.ts')?.split('\n\n').at(-1)).toBe(
    "export const NAMES = [\n  'always',\n  'read',\n  'change',\n];\n",
  );
  expect(copy.get('api.yaml')).toBe(`# The contract.
paths:
  /things:
    post:
      summary: >
        Creates.
  /things/{id}:
    # Of one.
    get:
      summary: |
        Reads.
    put: { summary: Changes. }
servers: []
`);
});

test('a property of the model that an operation needs may be there, if its type is the same', () => {
  const model = (version: string) => `components:
  schemas:
    NewThing:
      properties:
        id: { type: integer }
${version}    Error: {}
`;
  const house = (own: string) =>
    new Map(HOUSE).set('api.yaml', model(own)).set('operations/read/api.yaml', model(needed));
  const needed = `        version:
          type: integer
          format: int64
          minimum: 1
`;
  const own = `        # Ours.
        version: { format: int64, type: integer, examples: [3] }
`;
  expect(planCopy(house(''), ['read']).get('api.yaml')).toBe(model(needed));
  expect(planCopy(house(own), ['read']).get('api.yaml')).toBe(model(own));
  for (const other of [own.replace('integer', 'string'), own.replace('int64', 'int32')])
    expect(() => planCopy(house(other), ['read'])).toThrow(
      new PlainError(
        'operations/read/manifest.yaml:8: api.yaml:7 has another value than operations/read/api.yaml',
      ),
    );
});

test('a property of the model that has a name which an operation keeps for itself is refused with its line', () => {
  const model = (name: string) => `components:
  schemas:
    NewThing:
      properties:
        id: {}
        # Ours.
        ${name}: {}
    Thing: { properties: { goneAt: {} } }
`;
  const reserving = `reserves: [goneAt]\n${HOUSE.get('operations/read/manifest.yaml')}`;
  const house = (name: string) =>
    new Map(HOUSE).set('operations/read/manifest.yaml', reserving).set('contract/openapi.yaml', model(name));
  expect(planCopy(house('wentAt'), ['read']).get('contract/openapi.yaml')).toBe(model('wentAt'));
  expect(() => planCopy(house('goneAt'), ['read'])).toThrow(
    new PlainError(
      'contract/openapi.yaml:7: operations/read/manifest.yaml keeps the name goneAt for itself; rename the property.',
    ),
  );
});

/** Adds one to a copy that has others. */
function add(copy: ReadonlyMap<string, string>, name: string, all: string[]) {
  const added = manifestsOf(HOUSE).filter((each) => each.name === name);
  return planAddition(copy, HOUSE, planCopy(HOUSE, all), added);
}

const sorted = (tree: ReadonlyMap<string, string>) => Object.fromEntries([...tree].sort());

test('what is added later stands where it would have stood', () => {
  const late = add(planCopy(HOUSE, ['read']), 'page', ['read', 'page']);
  expect(late.get('steps.ts')).toBe(`import { always } from './always.ts';
import { start } from './run.ts';
import { page } from './page/page.ts';
import { stop } from './run.ts';

export const STEPS = [
  // The page.
  {
    name: 'page',
    run: page,
  },
  {
    name: 'always',
    run: always,
  },
];

export const NAMES = [
  'page',
  'always',
  'read',
];
`);
  expect(JSON.parse(late.get('package.json') ?? '')).toEqual(JSON.parse(HOUSE.get('package.json') ?? ''));
  expect(Object.keys(JSON.parse(late.get('package.json') ?? '').scripts)).toEqual(['a', 'page', 'z']);
  expect([...late.keys()]).toEqual(expect.arrayContaining(['page/page.ts', 'docs/page.md', 'read.ts']));
  expect(late.has('docs/log.md')).toBe(false);

  const log = add(late, 'log', ['read', 'page', 'log']);
  expect(log.get('docs/log.md')).toBe(HOUSE.get('docs/log.md'));
});

test('an operation that is added first stands behind the one that comes before it', () => {
  const alone = add(planCopy(HOUSE, []), 'read', ['read']);
  expect(sorted(alone)).toEqual(sorted(planCopy(HOUSE, ['read'])));
  const api = 'paths:\n  /things/{id}:\n    put: { summary: Changes. }\n';
  const changed = new Map(planCopy(HOUSE, []))
    .set('api.yaml', api)
    .set('read.ts', 'export const read = 1;\n');
  const text = changed.get('steps.ts')?.replace("'always',\n]", "'always',\n  'change',\n]") ?? '';
  const late = add(changed.set('steps.ts', text), 'read', ['read', 'change']);
  expect(late.get('steps.ts')).toContain("  'always',\n  'read',\n  'change',\n]");
  expect(late.get('api.yaml')).toBe(`paths:
  /things/{id}:
    # Of one.
    get:
      summary: |
        Reads.
    put: { summary: Changes. }
`);
});

test('each rule that matches nothing is named with its line, and nothing else happens', () => {
  const changed = new Map(planCopy(HOUSE, ['read']))
    .set('steps.ts', 'export const NOTHING = 1;\n')
    .set('read.ts', 'export const other = 1;\n')
    .set('api.yaml', 'paths:\n  /things/{id}: none\n');
  expect(() => add(changed, 'change', ['read', 'change'])).toThrow(
    new PlainError(`operations/change/manifest.yaml:6: steps.ts has no single list "export const NAMES = [", for:
'change',
operations/change/manifest.yaml:9: api.yaml:2 has another value than operations/change/api.yaml
operations/change/difference.patch:3: read.ts does not have these lines once:
export const read = 1;`),
  );
  const page = new Map(changed)
    .set('package.json', '{ "dependencies": { "pages": "1" }, "scripts": { "page": "other" } }')
    .set('page/page.ts', '');
  expect(() => add(page, 'page', ['page'])).toThrow(
    new PlainError(`.ci/copy/parts/page.yaml:2: page/page.ts exists, and has another text
.ci/copy/parts/page.yaml:5: steps.ts has no single list "export const STEPS = [", for:
// The page.
{
  name: 'page',
  run: page,
},
.ci/copy/parts/page.yaml:12: steps.ts has no single list "export const NAMES = [", for:
'page',
.ci/copy/parts/page.yaml:24: package.json has another value than {"scripts":{"page":"node page.ts"}}`),
  );
});

test('a house whose manifests lie is refused', () => {
  const house = new Map(HOUSE)
    .set('steps.ts', steps.replaceAll('page', 'side'))
    .set('package.json', '{ "scripts": { "page": "other" } }')
    .set('README.md', '# A house\n');
  house.delete('docs/page.md');
  expect(() => planCopy(house, [])).toThrow(
    new PlainError(`.ci/copy/parts/page.yaml:5: steps.ts has no list "export const STEPS = [" with these lines:
// The page.
{
  name: 'page',
  run: page,
},
.ci/copy/parts/page.yaml:12: steps.ts has no list "export const NAMES = [" with these lines:
'page',
.ci/copy/parts/page.yaml:15: steps.ts lacks an import
.ci/copy/parts/page.yaml:24: package.json lacks {"scripts":{"page":"node page.ts"}}
.ci/copy/parts/page.yaml:24: package.json lacks {"dependencies":["pages"]}
.ci/copy/parts/page.yaml:24: package.json lacks {"workspaces":["page"]}
.ci/copy/house.yaml:5: README.md has no list "| folder | what |" with these lines:
| lab/ | trials |
.ci/copy/parts/page.yaml:2: docs/page.md does not exist`),
  );
});

test('a name that is unknown says what there is', () => {
  expect(() => planCopy(HOUSE, ['pages'])).toThrow(
    new PlainError('There is no part or operation pages. There are: log, page, read, change.'),
  );
});

test.each([
  ['about: [A page]', '.ci/copy/parts/x.yaml:1: about: Invalid input: expected string, received array'],
  ['about: x\nfile: a.ts', '.ci/copy/parts/x.yaml:1: : Unrecognized key: "file"'],
  ['about: x\nlines:\n  a.ts:\n    - list: x', '.ci/copy/parts/x.yaml:4: lines.a.ts.0: Invalid input'],
  [
    'about: x\nneeds: [',
    '.ci/copy/parts/x.yaml:2: Flow sequence in block collection must be sufficiently indented and end with a ]',
  ],
])('a manifest that is none is refused with its line: %j', (text, problem) => {
  expect(() => manifestsOf(new Map([['.ci/copy/parts/x.yaml', text]]))).toThrow(new PlainError(problem));
});
