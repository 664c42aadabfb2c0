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
 * Changes what stands at a place of a document, or what is not there yet.
 * @param value instead, a function that makes it from the old one, or undefined to remove it
 */
const at = (document: 'openapi' | 'settings', place: string, value?: unknown): Change => {
  return (sources) => {
    const copy: Json = structuredClone(sources[document]);
    const names = place.split(' > ');
    const last = names.pop() ?? '';
    const parent = names.reduce((each, name) => each[name], copy);
    parent[last] = typeof value === 'function' ? value(parent[last]) : value;
    if (value === undefined) delete parent[last];
    return { [document]: copy };
  };
};
const openapi = (place: string, value?: unknown) => at('openapi', place, value);
const schema = (place: string, value?: unknown) => openapi(`components > schemas > ${place}`, value);
const post = (place: string, value?: unknown) => openapi(`paths > /plants > post > ${place}`, value);
const settings = (place: string, value?: unknown) => at('settings', place, value);
/** Adds an element to a list. */
const plus = (element: unknown) => (list: unknown[]) => [...list, element];
/** Changes the table of errors. */
const errors = (from: string, to: string) =>
  openapi('tags > 0 > description', (text: string) => replaced(text, from, to));
const both = (one: Change, other: Change): Change => {
  return (sources) => other({ ...sources, ...one(sources) } as Sources);
};
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
      'a property that must be sent now, although it is named like a keyword',
      both(
        schema('NewPlant > properties > title', { type: 'string' }),
        schema('NewPlant > required', plus('title')),
      ),
      `openapi: \`${REQUEST} > required > title\` is new: true.`,
    ],
    [
      'a narrower id',
      schema('NewPlant > properties > id > format', 'int32'),
      `openapi: \`${REQUEST} > properties > id > format\` changes from "int64" to "int32".`,
    ],
    [
      'a limit',
      schema('NewPlant > properties > name > maxLength', 100),
      `openapi: \`${REQUEST} > properties > name > maxLength\` is new: 100.`,
    ],
    [
      'unknown properties that are refused',
      schema('NewPlant > additionalProperties', false),
      `openapi: \`${REQUEST} > additionalProperties\` is new: false.`,
    ],
    // What is answered.
    [
      'a property of the answer that is gone',
      schema('Plant > properties > tag'),
      `openapi: \`${answer(200)} > properties > tag\` is gone; it was {"type":"string"}.`,
    ],
    [
      'a property of the answer that may be missing',
      schema('Error > required', ['error']),
      `openapi: \`${answer(400)} > required > message\` is gone; it was true.`,
    ],
    [
      'another status',
      post('responses > 409', { description: 'Taken' }),
      'openapi: `paths > /plants > post > responses > 409` is new: {}.',
    ],
    [
      'a header that is gone',
      post('responses > 400 > headers > Retry-After'),
      'openapi: `paths > /plants > post > responses > 400 > headers > Retry-After` is gone; it was {"schema":{"type":"integer"}}.',
    ],
    // What generators use.
    [
      'another path',
      openapi('paths', (paths: Json) => ({ '/herbs': paths['/plants'] })),
      'openapi: `paths > /plants` is gone; it was …',
    ],
    [
      'another name of the operation',
      post('operationId', 'addPlant'),
      'openapi: `paths > /plants > post > operationId` changes from "createPlant" to "addPlant".',
    ],
    [
      'another kind of token',
      openapi('components > securitySchemes > bearer > scheme', 'basic'),
      'openapi: `securitySchemes > bearer > scheme` changes from "bearer" to "basic".',
    ],
    [
      'parameters',
      post('parameters', [{ name: 'x', in: 'query' }]),
      'openapi: `paths > /plants > post > parameters` is new: {"{\\"name\\":\\"x\\",\\"in\\":\\"query\\"}":true}.',
    ],
    [
      'an extension that nobody has judged',
      post('x-limit', 1),
      'openapi: `paths > /plants > post > x-limit` is new: 1.',
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
      settings('required', plus('region')),
      'settings: `required > region` is new: true.',
    ],
    [
      'a setting that is gone',
      settings('properties > firewall'),
      'settings: `properties > firewall` is gone; it was …',
    ],
    [
      'a value that is refused',
      settings('properties > canaryMinutes > enum', (minutes: number[]) => minutes.slice(0, -1)),
      'settings: `properties > canaryMinutes > enum > 30` is gone; it was true.',
    ],
    [
      'a lower limit',
      settings('properties > tableCeiling > properties > writes > minimum', 500),
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
      schema('NewPlant > properties > light', { type: 'string', maxLength: 9 }),
    ],
    ['a property that need not be sent any more', schema('NewPlant > required', ['id'])],
    [
      'a property that is answered',
      both(
        schema('Plant > properties > description', { type: 'string' }),
        schema('Plant > required', plus('description')),
      ),
    ],
    ['a header that is answered', post('responses > 200 > headers > Age', { schema: { type: 'integer' } })],
    ['another operation', openapi('paths', (paths: Json) => ({ ...paths, '/herbs': paths['/plants'] }))],
    ['another address', openapi('servers', plus({ url: 'https://a.example.com' }))],
    ['a better description', schema('Plant > description', 'Better.')],
    ['a better example', schema('Plant > properties > name > examples', ['Moss'])],
    ['another order', ({ cases }) => ({ cases: cases.toReversed() })],
    ['a new error', errors('| 40901 |', '| 40302 | a new one | no |\n| 40901 |')],
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
    ['a new setting', settings('properties > quiet', { type: 'boolean' })],
    ['a setting that may be left out', settings('required', (all: string[]) => all.slice(1))],
    ['a new value of a setting', settings('properties > canaryMinutes > enum', plus(60))],
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
  ['a reference to nothing', schema('NewPlant'), '#/components/schemas/NewPlant points to nothing.'],
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

test('a schema may contain itself', () => {
  const items = { $ref: '#/components/schemas/Plant' };
  expect(linesOf(schema('Plant > properties > parts', { type: 'array', items }))).toEqual([]);
});
