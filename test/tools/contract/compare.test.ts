import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { findBreaks } from '../../../tools/contract/compare.ts';
import { readSources } from '../../../tools/contract/sources.ts';
import { type Sources, surfaceOf } from '../../../tools/contract/surface.ts';

// Documents have no useful static type.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Json = any;

const whole = await readSources();
/** Without most cases, some of which are long. */
const released: Sources = { ...whole, cases: whole.cases.slice(0, 40) };

type Change = (sources: Sources) => Partial<Record<keyof Sources, unknown>>;

/** Changes a text, which must occur. */
function replaced(text: string, from: string, to: string): string {
  expect(text).toContain(from);
  return text.replace(from, () => to);
}

const openapi = (from: string, to: string): Change => {
  return (sources) => ({
    openapi: parse(
      replaced(stringify(sources.openapi, { lineWidth: 0, aliasDuplicateObjects: false }), from, to),
    ),
  });
};
/** Changes a schema of openapi.yaml. */
const schema = (name: string, change: (schema: Json) => unknown): Change => {
  return (sources) => {
    const copy = structuredClone(sources.openapi);
    change(copy.components.schemas[name]);
    return { openapi: copy };
  };
};
const post = (change: (post: Json) => unknown): Change => {
  return (sources) => {
    const copy = structuredClone(sources.openapi);
    change(copy.paths['/plants'].post);
    return { openapi: copy };
  };
};
const types = (from: string, to: string): Change => {
  return ({ declarations }) => ({ declarations: replaced(declarations, from, to) });
};
const runbook = (from: string, to: string): Change => {
  return (sources) => ({ runbook: replaced(sources.runbook, from, to) });
};
const settings = (change: (schema: Json) => unknown): Change => {
  return (sources) => {
    const copy = structuredClone(sources.settings);
    change(copy);
    return { settings: copy };
  };
};
const ZERO = 'zero is an id';
const zero = (change: object | undefined): Change => {
  return ({ cases }) => ({
    cases: cases.flatMap((each) => (each.name !== ZERO ? each : change ? { ...each, ...change } : [])),
  });
};

/** The lines for the changelog, without what they all begin with. */
function linesOf(change: Change, versions = released.versions): string[] {
  const now = { ...released, ...change(released), versions } as Sources;
  const breaks = findBreaks(surfaceOf(released), surfaceOf(now));
  return breaks.map(({ line }) => {
    expect(line).toMatch(/^- \*\*Breaking:\*\* .*\.$/);
    return line.slice('- **Breaking:** '.length);
  });
}

const REQUEST = 'paths > /plants > post > requestBody > content > application/json > schema';
const answer = (status: number) =>
  `paths > /plants > post > responses > ${status} > content > application/json > schema`;

describe('may break somebody', () => {
  test.each<[what: string, change: Change, ...lines: string[]]>([
    // What is sent.
    [
      'a property that becomes required',
      schema('NewPlant', ({ required }) => required.push('tag')),
      `openapi: \`${REQUEST} > required > tag\` is new: true.`,
    ],
    [
      'a property that must be sent now',
      schema('NewPlant', ({ properties, required }) => {
        properties.light = { type: 'string' };
        required.push('light');
      }),
      `openapi: \`${REQUEST} > required > light\` is new: true.`,
    ],
    [
      'a narrower id',
      openapi('format: int64', 'format: int32'),
      `openapi: \`${REQUEST} > properties > id > format\` changes from "int64" to "int32".`,
    ],
    [
      'a limit',
      schema('NewPlant', ({ properties }) => {
        properties.name.maxLength = 100;
      }),
      `openapi: \`${REQUEST} > properties > name > maxLength\` is new: 100.`,
    ],
    [
      'a property named like a keyword',
      schema('NewPlant', ({ required }) => required.push('title')),
      `openapi: \`${REQUEST} > required > title\` is new: true.`,
    ],
    [
      'unknown properties that are refused',
      schema('NewPlant', (each) => {
        each.additionalProperties = false;
      }),
      `openapi: \`${REQUEST} > additionalProperties\` is new: false.`,
    ],
    // What is answered.
    [
      'a property of the answer that is gone',
      schema('Plant', ({ properties }) => delete properties.tag),
      `openapi: \`${answer(200)} > properties > tag\` is gone; it was {"type":"string"}.`,
    ],
    [
      'a property of the answer that may be missing',
      schema('Error', (each) => {
        each.required = ['error'];
      }),
      `openapi: \`${answer(400)} > required > message\` is gone; it was true.`,
    ],
    [
      'another status',
      post(({ responses }) => {
        responses['409'] = { description: 'Taken' };
      }),
      'openapi: `paths > /plants > post > responses > 409` is new: {}.',
    ],
    [
      'a header that is gone',
      post(({ responses }) => delete responses['400'].headers['Retry-After']),
      'openapi: `paths > /plants > post > responses > 400 > headers > Retry-After` is gone; it was {"schema":{"type":"integer"}}.',
    ],
    // What generators use.
    ['another path', openapi('/plants:', '/herbs:'), 'openapi: `paths > /plants` is gone; it was …'],
    [
      'another name of the operation',
      post((each) => {
        each.operationId = 'addPlant';
      }),
      'openapi: `paths > /plants > post > operationId` changes from "createPlant" to "addPlant".',
    ],
    [
      'another kind of token',
      openapi('scheme: bearer', 'scheme: basic'),
      'openapi: `securitySchemes > bearer > scheme` changes from "bearer" to "basic".',
    ],
    [
      'parameters',
      post((each) => {
        each.parameters = [{ name: 'x', in: 'query' }];
      }),
      'openapi: `paths > /plants > post > parameters` is new: {"{\\"name\\":\\"x\\",\\"in\\":\\"query\\"}":true}.',
    ],
    [
      'an extension that nobody has judged',
      post((each) => {
        each['x-limit'] = 1;
      }),
      'openapi: `paths > /plants > post > x-limit` is new: 1.',
    ],
    // Error numbers.
    [
      'an error that is gone',
      openapi('| 40901 |', '| herbs |'),
      'errors: `40901` is gone; it was {"when":"the id belongs to a different plant; nothing was overwritten","again":"no"}.',
    ],
    [
      'an error that must not be repeated',
      openapi('throttling | yes, after 1 second |', 'throttling | no |'),
      'errors: `42901 > again` changes from "yes, after 1 second" to "no".',
    ],
    [
      'another meaning',
      openapi('| 40101 | there is no bearer token |', '| 40101 | there is no user |'),
      'errors: `40101 > when` changes from "there is no bearer token" to "there is no user".',
    ],
    // Cases.
    ['a case that is gone', zero(undefined), 'cases: `zero is an id` is gone; it was …'],
    [
      'a case with another answer',
      zero({ expected: { status: 400, error: 40002 } }),
      'cases: `zero is an id` changes from "200 …',
    ],
    [
      'a case with another request',
      zero({ body: Buffer.from('{"id":3,"name":"Zero"}') }),
      'cases: `zero is an id` changes from "200 …',
    ],
    [
      'a case that stores something else',
      zero({ expected: { status: 200, plant: { name: 'Zero' }, stored: '1' } }),
      'cases: `zero is an id` changes from "200 …',
    ],
    // The client.
    [
      'an export that is gone',
      types('type PlantStore, ', ''),
      'client: `exports > PlantStore` is gone; it was true.',
    ],
    [
      'a type that is narrower',
      types('id: bigint | number', 'id: bigint'),
      'client: `types > NewPlant > id` changes from "readonly id: bigint | number;" to "readonly id: bigint;".',
    ],
    [
      'an option that is gone',
      types('readonly maxAttempts?: number | undefined;', ''),
      'client: `types > PlantStoreOptions > maxAttempts?` is gone; it was "readonly maxAttempts?: number | undefined;".',
    ],
    [
      'an option that must be given',
      types('readonly token: string;', 'readonly token: string;\n    readonly agent: string;'),
      'client: `types > PlantStoreOptions > agent` is new: "readonly agent: string;".',
    ],
    [
      'a number that the compiler no longer knows',
      types('40901 | ', ''),
      'client: `types > PublishedErrorNumber > 40901` is gone; it was true.',
    ],
    [
      'an unexported type that an exported one mentions',
      types('readonly cause?: unknown;', ''),
      'client: `types > FailureDetails > cause?` is gone; it was "readonly cause?: unknown;".',
    ],
    [
      'another base class',
      types('extends Error', 'extends TypeError'),
      'client: `types > PlantStoreError > ` changes from "class PlantStoreError extends Error" to "class PlantStoreError extends TypeError".',
    ],
    [
      'another signature',
      types('createPlantStore(options: PlantStoreOptions)', 'createPlantStore(url: string)'),
      'client: `types > createPlantStore > function createPlantStore(options: PlantStoreOptions): PlantStore;` is gone; it was true.',
      'client: `types > createPlantStore > function createPlantStore(url: string): PlantStore;` is new: true.',
      '…',
    ],
    [
      'a newer Node',
      ({ clientPackage }) => ({ clientPackage: { ...clientPackage, engines: { node: '>=24' } } }),
      'client: `package > engines > node` changes from ">=20" to ">=24".',
    ],
    // The log.
    [
      'a field with another name',
      runbook('| `message.duration` |', '| `message.ms` |'),
      'log: `fields > message.duration (function)` is gone; it was {}.',
    ],
    [
      'an outcome with another name',
      runbook('`repeated`: the same', '`again`: the same'),
      'log: `fields > message.outcome (function) > repeated` is gone; it was true.',
    ],
    [
      'a fault with another name',
      runbook('| `deadline` |', '| `too late` |'),
      'log: `faults > deadline` is gone; it was "50301, 50401".',
    ],
    // Settings.
    [
      'a setting that must be given',
      settings(({ required }) => required.push('region')),
      'settings: `required > region` is new: true.',
    ],
    [
      'a setting that is gone',
      settings(({ properties }) => delete properties.firewall),
      'settings: `properties > firewall` is gone; it was …',
    ],
    [
      'a value that is refused',
      settings(({ properties }) => properties.canaryMinutes.enum.pop()),
      'settings: `properties > canaryMinutes > enum > 30` is gone; it was true.',
    ],
    [
      'a lower limit',
      settings(({ properties }) => {
        properties.tableCeiling.properties.writes.minimum = 500;
      }),
      'settings: `properties > tableCeiling > properties > writes > minimum` changes from 400 to 500.',
    ],
  ])('%s', (_, change, ...lines) => {
    const found = linesOf(change);
    // An ellipsis: and so on.
    const isOpen = lines.at(-1) === '…';
    const expected = isOpen ? lines.slice(0, -1) : lines;
    expect(isOpen ? found.slice(0, expected.length) : found).toEqual(
      expected.map((line) => (line.endsWith('…') ? expect.stringContaining(line.slice(0, -1)) : line)),
    );
  });
});

describe('is harmless', () => {
  test.each<[what: string, change: Change]>([
    ['nothing', () => ({})],
    [
      'a property that may be sent',
      schema('NewPlant', ({ properties }) => {
        properties.light = { type: 'string', maxLength: 9 };
      }),
    ],
    [
      'a property that need not be sent any more',
      schema('NewPlant', (each) => {
        each.required = ['id'];
      }),
    ],
    [
      'a property that is answered',
      schema('Plant', ({ properties, required }) => {
        properties.description = { type: 'string' };
        required.push('description');
      }),
    ],
    [
      'a header that is answered',
      post(({ responses }) => {
        responses['200'].headers.Age = { schema: { type: 'integer' } };
      }),
    ],
    [
      'another operation',
      (sources) => ({
        openapi: {
          ...sources.openapi,
          paths: { ...sources.openapi.paths, '/herbs': sources.openapi.paths['/plants'] },
        },
      }),
    ],
    [
      'another address',
      (sources) => ({
        openapi: {
          ...sources.openapi,
          servers: [{ url: 'https://a.example.com' }, ...sources.openapi.servers],
        },
      }),
    ],
    [
      'a better description',
      schema('Plant', (each) => {
        each.description = 'Better.';
        each.properties.name.examples = ['Moss'];
      }),
    ],
    [
      'another order',
      (sources) => ({
        openapi: { ...sources.openapi, paths: { ...sources.openapi.paths } },
        cases: sources.cases.toReversed(),
      }),
    ],
    ['a new error', openapi('| 40901 |', '| 40302 | a new one | no |\n      | 40901 |')],
    ['another name of a case', zero({ name: 'zero is also an id' })],
    ['another message of a case', zero({})],
    ['a new case', ({ cases }) => ({ cases: [...cases, { ...cases[0], name: 'new' }] })],
    [
      'a new option of the client',
      types('readonly maxAttempts?', 'readonly agent?: string;\n    readonly maxAttempts?'),
    ],
    ['a new method of the client', types('createPlant(plant', 'close(): void;\n    createPlant(plant')],
    ['a new property of the answer', types('tag?: string;', 'tag?: string;\n    readonly light: string;')],
    [
      'a new detail of an error',
      types('readonly status: number;', 'readonly status: number;\n    readonly at: Date;'),
    ],
    ['a new number in the client', types('40901 | ', '40901 | 40302 | ')],
    ['a new export of the client', types('type PlantStore, ', 'type PlantStore, type Sent, ')],
    [
      'a comment in the client',
      types('export interface Plant {', '/** Better. */\nexport interface Plant {'),
    ],
    [
      'a function that is not exported',
      types(
        'export declare function statusOf(error: number)',
        'export declare function statusOf(error: string)',
      ),
    ],
    [
      'a new field of the log',
      runbook('| `message.error` |', '| `message.attempts` | function | how many |\n| `message.error` |'),
    ],
    ['a new outcome', runbook('`preflight`: a browser', '`read`: new; `preflight`: a browser')],
    ['a new fault', runbook('| `deadline` |', '| `deadline`, `too late` |')],
    [
      'a new setting',
      settings(({ properties }) => {
        properties.quiet = { type: 'boolean' };
      }),
    ],
    [
      'a setting that may be left out',
      settings((each) => {
        each.required = each.required.slice(1);
      }),
    ],
    ['a new value of a setting', settings(({ properties }) => properties.canaryMinutes.enum.push(60))],
  ])('%s', (_, change) => {
    expect(linesOf(change)).toEqual([]);
  });
});

describe('a new major version lets its own changes pass', () => {
  const change: Change = (sources) => ({
    ...zero(undefined)(sources),
    ...types('40901 | ', '')(sources),
    ...settings(({ properties }) => delete properties.firewall)(sources),
  });
  const refused = (versions: Partial<Sources['versions']>) => {
    const now = {
      ...released,
      ...change(released),
      versions: { ...released.versions, ...versions },
    } as Sources;
    const breaks = findBreaks(surfaceOf(released), surfaceOf(now));
    expect(breaks).toHaveLength(3);
    return breaks.flatMap(({ needs, isRefused }) => (isRefused ? needs : []));
  };

  test.each<[versions: Partial<Sources['versions']>, refused: string[]]>([
    [{}, ['contract', 'client', 'service']],
    [{ contract: '1.9.0', client: '1.0.1', service: '0.9.0' }, ['contract', 'client', 'service']],
    [{ contract: '2.0.0' }, ['client', 'service']],
    [{ client: '2.0.0' }, ['contract', 'service']],
    [{ service: '10.0.0' }, ['contract', 'client']],
    [{ contract: '2.0.0', client: '2.0.0', service: '2.0.0' }, []],
    [{ contract: 'next' }, ['contract', 'client', 'service']],
  ])('%j', (versions, expected) => {
    expect(refused(versions)).toEqual(expected);
  });
});

test.each<[what: string, change: Change, message: string]>([
  [
    'a reference to nothing',
    openapi('#/components/schemas/NewPlant', '#/components/schemas/Herb'),
    '#/components/schemas/Herb points to nothing.',
  ],
  [
    'no table of errors',
    (sources) => ({ openapi: { ...sources.openapi, tags: [{ description: '' }] } }),
    'openapi.yaml has no table of errors.',
  ],
  [
    'two declarations of a name',
    types('export interface Plant {', 'export interface NewPlant {'),
    'The client declares NewPlant twice.',
  ],
  [
    'a section without its name',
    runbook("## The log's fields", '## Fields'),
    "The runbook has no section The log's fields.",
  ],
])('what is not written as expected is refused: %s', (_, change, message) => {
  expect(() => linesOf(change)).toThrow(message);
});

test('a schema may contain itself', () => {
  const parts = schema('Plant', ({ properties }) => {
    properties.parts = { type: 'array', items: { $ref: '#/components/schemas/Plant' } };
  });
  expect(linesOf(parts)).toEqual([]);
});
