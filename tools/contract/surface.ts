import { createHash } from 'node:crypto';
import type { ContractCase } from '../../contract/contract-case.ts';
import { clientTypes } from './client-types.ts';
import { codeIn, runbookSection, tableIn } from './runbook.ts';
import { asSet, type Tree, withoutProse } from './tree.ts';

/** The versions whose major number says that something may break. */
export interface Versions {
  /** Of contract/openapi.yaml. */
  readonly contract: string;
  /** Of the package in client/. */
  readonly client: string;
  /** Of the package at the top: for who runs the service. */
  readonly service: string;
}

/** Where the surface is described. */
export interface Sources {
  readonly versions: Versions;
  /** openapi.yaml, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: a document without a useful static type
  readonly openapi: any;
  readonly cases: readonly ContractCase[];
  /** package.json of the client. */
  readonly clientPackage: Readonly<Record<string, unknown>>;
  /** The declarations that the compiler makes of the client, of all its files. */
  readonly declarations: string;
  /** docs/runbook-alarms.md as text. */
  readonly runbook: string;
  /** The JSON schema of a stage's settings. */
  readonly settings: unknown;
}

/** What clients and operators rely on, in a form that can be compared: without prose, and lists as sets. */
export interface Surface {
  readonly versions: Versions;
  readonly openapi: Tree;
  readonly errors: Tree;
  readonly cases: Tree;
  readonly client: Tree;
  readonly log: Tree;
  readonly settings: Tree;
}

/** Reads what clients and operators rely on. @throws Error if a source is not written as expected */
export function surfaceOf({ versions, openapi, ...sources }: Sources): Surface {
  const { openapi: language, servers, paths, security, components } = openapi;
  const { engines, type, main, types, exports } = sources.clientPackage;
  const used = { openapi: language, servers, paths, security, securitySchemes: components.securitySchemes };
  return {
    versions,
    openapi: withoutProse(used, openapi) as Tree,
    errors: errorsOf(openapi.tags[0].description),
    cases: Object.fromEntries(sources.cases.map((each) => [each.name, caseOf(each)])),
    client: {
      ...clientTypes(sources.declarations),
      package: withoutProse({ engines, type, main, types, exports }) as Tree,
    },
    log: logOf(sources.runbook),
    settings: withoutProse(sources.settings) as Tree,
  };
}

/** The table of errors in the description: of each number, when a client gets it and whether to repeat the request. */
function errorsOf(description: string): Tree {
  const rows = description.matchAll(/^\| (\d{5}) \| (.+) \| (.+) \|$/gm);
  const errors = [...rows].map(([, error = '', when = '', again = '']) => [error, { when, again }]);
  if (errors.length === 0) throw new Error('openapi.yaml has no table of errors.');
  return Object.fromEntries(errors);
}

/** The answer of a case, with a digest of what is sent and of the plant that is stored: bodies can be long. */
function caseOf({ method, path, headers, body, given, expected }: ContractCase): string {
  const answer = expected.status === 200 ? '200' : `400 ${expected.error}`;
  const stored = expected.status === 200 ? [expected.plant, expected.stored] : [];
  const digest = createHash('sha256').update(JSON.stringify([method, path, headers, stored, given.length]));
  for (const each of [...given, body]) digest.update(`${each?.length}:`).update(each ?? '');
  return `${answer} ${digest.digest('hex').slice(0, 12)}`;
}

/** The fields of the log by who writes them, each with the values that the runbook names, and the values of `fault`. */
function logOf(runbook: string): Tree {
  const fields = tableIn(runbookSection("The log's fields", runbook));
  const faults = tableIn(runbookSection('The values of fault', runbook));
  return {
    fields: Object.fromEntries(
      fields.flatMap(([names, writer, meaning]) =>
        codeIn(names).map((name) => [`${name} (${writer})`, asSet(codeIn(meaning))]),
      ),
    ),
    faults: Object.fromEntries(
      faults.flatMap(([values, errors = '']) => codeIn(values).map((value) => [value, errors])),
    ),
  };
}
