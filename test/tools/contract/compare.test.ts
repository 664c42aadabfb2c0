import { describe, expect, test } from 'vitest';
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

/**
 * Changes what stands at a place of a document, or is not there yet. References are followed, and the elements of a list
 * are names, as in the surface.
 * @param value instead, a function that makes it from the old one, or undefined to remove it
 */
const at = (document: 'openapi' | 'settings', place: string, value?: unknown): Change => {
  return (sources) => {
    const copy: Json = structuredClone(sources[document]);
    const find = (names: string[]): Json => names.reduce((each, name) => meant(each[name]), copy);
    const meant = (each: Json) => (each.$ref ? find(each.$ref.split('/').slice(1)) : each);
    const names = place.split(' > ');
    const [parent, name] = [find(names.slice(0, -1)), names.at(-1) ?? ''];
    const isList = Array.isArray(parent);
    if (isList && value) parent.push(name);
    else if (isList) parent.splice(parent.map(String).indexOf(name), 1);
    else if (value === undefined) delete parent[name];
    else parent[name] = typeof value === 'function' ? value(parent[name]) : value;
    return { [document]: copy };
  };
};
const openapi = (place: string, value?: unknown) => at('openapi', place, value);
const settings = (place: string, value?: unknown) => at('settings', place, value);
/** Changes the table of errors. */
const errors = (from: string, to: string) =>
  openapi('tags > 0 > description', (text: string) => replaced(text, from, to));
const types = (from: string, to: string): Change => {
  return ({ declarations }) => ({ declarations: replaced(declarations, from, to) });
};
const runbook = (from: string, to: string): Change => {
  return (sources) => ({ runbook: replaced(sources.runbook, from, to) });
};
const ZERO = 'zero is an id';
const zero = (change: object | undefined): Change => {
  return ({ cases }) => ({
    cases: cases.flatMap((each) => (each.name !== ZERO ? each : change ? { ...each, ...change } : [])),
  });
};

function breaksOf(change: Change, versions: Partial<Sources['versions']> = {}) {
  const now = { ...released, ...change(released), versions: { ...released.versions, ...versions } };
  return findBreaks(surfaceOf(released), surfaceOf(now as Sources));
}

/** The lines for the changelog, without what they all begin with. */
function linesOf(change: Change): string[] {
  return breaksOf(change).map(({ line }) => {
    expect(line).toMatch(/^- \*\*Breaking:\*\* .*\.$/);
    return line.slice('- **Breaking:** '.length);
  });
}

const POST = 'paths > /plants > post';
const REQUEST = `${POST} > requestBody > content > application/json > schema`;
const answer = (status: number) => `${POST} > responses > ${status} > content > application/json > schema`;

describe('may break somebody', () => {
  test.each<[what: string, place: string, value: unknown, says: string]>([
    // What is sent.
    ['a property that becomes required', `${REQUEST} > required > tag`, true, 'is new: true'],
    ['a narrower id', `${REQUEST} > properties > id > format`, 'int32', 'changes from "int64" to "int32"'],
    ['a limit', `${REQUEST} > properties > name > maxLength`, 100, 'is new: 100'],
    ['unknown properties that are refused', `${REQUEST} > additionalProperties`, false, 'is new: false'],
    // What is answered.
    ['no tag', `${answer(200)} > properties > tag`, undefined, 'is gone; it was {"type":"string"}'],
    ['perhaps no message', `${answer(400)} > required > message`, undefined, 'is gone; it was true'],
    ['another status', `${POST} > responses > 409`, { description: 'Taken' }, 'is new: {}'],
    [
      'a header that is gone',
      `${POST} > responses > 400 > headers > Retry-After`,
      undefined,
      'is gone; it was {"schema":{"type":"integer"}}',
    ],
    // What generators use.
    ['another operation', `${POST} > operationId`, 'addPlant', 'changes from "createPlant" to "addPlant"'],
    ['a parameter', `${POST} > parameters`, [{ in: 'query' }], 'is new: {"{\\"in\\":\\"query\\"}":true}'],
    ['an extension that nobody has judged', `${POST} > x-limit`, 1, 'is new: 1'],
  ])('openapi.yaml: %s', (_, place, value, says) => {
    expect(linesOf(openapi(place, value))).toEqual([`openapi: \`${place}\` ${says}.`]);
  });

  test.each<[what: string, place: string, value: unknown, says: string]>([
    ['one that must be given', 'required > region', true, 'is new: true'],
    ['a value that is refused', 'properties > canaryMinutes > enum > 30', undefined, 'is gone; it was true'],
    [
      'a lower limit',
      'properties > tableCeiling > properties > writes > minimum',
      500,
      'changes from 400 to 500',
    ],
  ])('settings: %s', (_, place, value, says) => {
    expect(linesOf(settings(place, value))).toEqual([`settings: \`${place}\` ${says}.`]);
  });

  test.each<[what: string, change: Change, ...lines: string[]]>([
    [
      'another path',
      openapi('paths', (paths: Json) => ({ '/herbs': paths['/plants'] })),
      'openapi: `paths > /plants` is gone; it was …',
    ],
    [
      'another kind of token',
      openapi('components > securitySchemes > bearer > scheme', 'basic'),
      'openapi: `securitySchemes > bearer > scheme` changes from "bearer" to "basic".',
    ],
    // Error numbers.
    [
      'an error that is gone',
      errors('| 40901 |', '| herbs |'),
      'errors: `40901` is gone; it was {"when":"the id belongs to a different plant; nothing was overwritten","again":"no"}.',
    ],
    [
      'an error that must not be repeated',
      errors('throttling | yes, after 1 second |', 'throttling | no |'),
      'errors: `42901 > again` changes from "yes, after 1 second" to "no".',
    ],
    [
      'another meaning',
      errors('| 40101 | there is no bearer token |', '| 40101 | there is no user |'),
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
      types('createPlantStore(options: PlantStoreOptions)', 'createPlantStore(given: PlantStoreOptions)'),
      'client: `types > createPlantStore > function createPlantStore(options: PlantStoreOptions): PlantStore;` is gone; it was true.',
      'client: `types > createPlantStore > function createPlantStore(given: PlantStoreOptions): PlantStore;` is new: true.',
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
    [
      'a setting that is gone',
      settings('properties > firewall'),
      'settings: `properties > firewall` is gone; …',
    ],
  ])('%s', (_, change, ...lines) => {
    // An ellipsis: and so on.
    const expected = lines.map((line) =>
      line.endsWith('…') ? expect.stringContaining(line.slice(0, -1)) : line,
    );
    expect(linesOf(change)).toEqual(expected);
  });
});

describe('is harmless', () => {
  test.each<[what: string, change: Change]>([
    ['nothing', () => ({})],
    ['a property that may be sent', openapi(`${REQUEST} > properties > light`, { maxLength: 9 })],
    ['a property that need not be sent any more', openapi(`${REQUEST} > required > name`)],
    ['a property that may be answered', openapi(`${answer(200)} > properties > light`, { type: 'string' })],
    ['a property that is always answered', openapi(`${answer(200)} > required > tag`, true)],
    ['a header that is answered', openapi(`${POST} > responses > 200 > headers > Age`, { schema: {} })],
    ['another operation', openapi('paths', (paths: Json) => ({ ...paths, '/herbs': paths['/plants'] }))],
    ['another address', openapi('servers', (all: Json[]) => [...all, { url: 'https://a.example.com' }])],
    ['a better description', openapi(`${answer(200)} > description`, 'Better.')],
    ['a better example', openapi(`${answer(200)} > properties > name > examples`, ['Moss'])],
    ['another order', ({ cases }) => ({ cases: cases.toReversed() })],
    ['a new error', errors('| 40901 |', '| 40302 | a new one | no |\n| 40901 |')],
    ['another name of a case', zero({ name: 'zero is also an id' })],
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
    ['a new setting', settings('properties > quiet', { type: 'boolean' })],
    ['a setting that may be left out', settings('required > logDays')],
    ['a new value of a setting', settings('properties > canaryMinutes > enum > 60', true)],
  ])('%s', (_, change) => {
    expect(linesOf(change)).toEqual([]);
  });
});

describe('a new major version lets its own changes pass', () => {
  const change: Change = (sources) => ({
    ...zero(undefined)(sources),
    ...types('40901 | ', '')(sources),
    ...settings('properties > firewall')(sources),
  });
  test.each<[versions: Partial<Sources['versions']>, refused: string[]]>([
    [{}, ['contract', 'client', 'service']],
    [{ contract: '1.9.0', client: '1.0.1', service: '0.9.0' }, ['contract', 'client', 'service']],
    [{ contract: '2.0.0' }, ['client', 'service']],
    [{ client: '2.0.0' }, ['contract', 'service']],
    [{ service: '10.0.0' }, ['contract', 'client']],
    [{ contract: '2.0.0', client: '2.0.0', service: '2.0.0' }, []],
    [{ contract: 'next' }, ['contract', 'client', 'service']],
  ])('%j', (versions, expected) => {
    const breaks = breaksOf(change, versions);
    expect(breaks).toHaveLength(3);
    expect(breaks.flatMap(({ needs, isRefused }) => (isRefused ? needs : []))).toEqual(expected);
  });
});

test.each<[what: string, change: Change, message: string]>([
  [
    'a reference to nothing',
    openapi('components > schemas > NewPlant'),
    '#/components/schemas/NewPlant points to nothing.',
  ],
  ['no table of errors', openapi('tags > 0 > description', ''), 'openapi.yaml has no table of errors.'],
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

test('a property may be named like a keyword that is prose', () => {
  const { openapi: document } = openapi(`${REQUEST} > properties > title`, { type: 'string' })(released);
  const { paths } = surfaceOf({ ...released, openapi: document }).openapi;
  expect(JSON.stringify(paths)).toContain('"title":{"type":"string"}');
});

test('a schema may contain itself', () => {
  const items = { $ref: '#/components/schemas/Plant' };
  expect(linesOf(openapi(`${answer(200)} > properties > parts`, { type: 'array', items }))).toEqual([]);
});
