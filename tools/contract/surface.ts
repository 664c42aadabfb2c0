import { createHash } from 'node:crypto';
import type { ContractCase } from '../../contract/contract-case.ts';
import { codeIn, logSection, runbookSection, tableIn } from '../../infra/runbook.ts';
import { clientTypes } from './client-types.ts';

/** Keywords of OpenAPI and JSON Schema that say nothing to a program; `absent` is our own, of the settings of a stage. */
const PROSE = new Set(['$schema', 'absent', 'description', 'summary', 'title', 'example', 'examples']);
/** Keywords whose objects have names of our own, which may be those of other keywords. */
export const NAMES = new Set([
  'content',
  'headers',
  'paths',
  'properties',
  'responses',
  'schemas',
  'securitySchemes',
  'variables',
]);

/** Where the surface is described. */
export interface Sources {
  /** openapi.yaml, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: a document without a useful static type
  readonly openapi: any;
  readonly cases: readonly ContractCase[];
  /** package.json of the client. */
  readonly clientPackage: Readonly<Record<string, unknown>>;
  /** The declarations that the compiler makes of the client, of all its files. */
  readonly declarations: string;
  /** docs/log.md and docs/runbook-alarms.md as text. */
  readonly log: string;
  readonly runbook: string;
  /** The JSON schema of a stage's settings. */
  readonly settings: unknown;
  /** The version of the package at the top: for who runs the service. */
  readonly version: string;
}

/**
 * What clients and operators rely on, one fact a line, sorted. A line begins with its part of the surface; `version` has the
 * versions whose major number says that something may break.
 * @throws Error if a source is not written as expected
 */
export function surfaceOf({ openapi, clientPackage, ...sources }: Sources): string[] {
  const { openapi: language, info, servers, paths, security, components } = openapi;
  const { version, engines, type, main, types, exports } = clientPackage;
  const lines = [
    `version > contract: ${info.version}`,
    `version > client: ${version}`,
    `version > service: ${sources.version}`,
    ...flatten('contract', { openapi: language, servers, paths, security, components }),
    ...errorsOf(openapi.tags[0].description).map((line) => `contract > error ${line}`),
    ...sources.cases.map((each) => `contract > case ${each.name}: ${outcomeOf(each)}`),
    ...flatten('client > package', { engines, type, main, types, exports }),
    ...clientTypes(sources.declarations).map((line) => `client > ${line}`),
    ...logOf(sources).map((line) => `service > log > ${line}`),
    ...flatten('service > settings', sources.settings),
  ];
  return [...new Set(lines)].sort();
}

/** A document of OpenAPI or JSON Schema without prose, one value a line, each below its keywords: `a > b: value`. */
function flatten(place: string, value: unknown, hasNames = false): string[] {
  if (Array.isArray(value))
    return value.flatMap((each) => flatten(place, isObject(each) ? JSON.stringify(each) : each));
  if (!isObject(value)) return [`${place}: ${value}`];
  const entries = Object.entries(value).filter(([name]) => hasNames || !PROSE.has(name));
  if (entries.length === 0) return [`${place}: {}`];
  return entries.flatMap(([name, each]) => flatten(`${place} > ${name}`, each, !hasNames && NAMES.has(name)));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The table of errors in the description: of each number, when a client gets it and whether to repeat the request. */
function errorsOf(description: string): string[] {
  const rows = description.matchAll(/^\| (\d{5}) \| (.+) \| (.+) \|$/gm);
  const errors = [...rows].map(([, error, when, again]) => `${error}: ${when}; again: ${again}`);
  if (errors.length === 0) throw new Error('openapi.yaml has no table of errors.');
  return errors;
}

/** The response of a case, with a digest of what is sent and of the plant that is stored: bodies can be long. */
function outcomeOf({ method, path, headers, body, given, expected }: ContractCase): string {
  const response = expected.status === 200 ? '200' : `400 ${expected.error}`;
  const stored = expected.status === 200 ? [expected.plant, expected.stored] : [];
  const digest = createHash('sha256').update(JSON.stringify([method, path, headers, stored, given.length]));
  for (const each of [...given, body]) digest.update(`${each?.length}:`).update(each ?? '');
  return `${response} ${digest.digest('hex').slice(0, 12)}`;
}

/** The fields of the log by who writes them, each with the values that docs/log.md names, and the values of `fault`. */
function logOf({ log, runbook }: Pick<Sources, 'log' | 'runbook'>): string[] {
  const fields = tableIn(logSection("The log's fields", log)).flatMap(([names, writer, meaning]) =>
    codeIn(names).flatMap((name) => [
      `${name} (${writer})`,
      ...codeIn(meaning).map((value) => `${name} (${writer}): ${value}`),
    ]),
  );
  const faults = tableIn(runbookSection('The values of fault', runbook)).flatMap(([values, errors]) =>
    codeIn(values).map((value) => `fault ${value}: ${errors}`),
  );
  return [...fields, ...faults];
}
