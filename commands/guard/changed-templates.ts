import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { copyOf, EVERYTHING, type Json } from '../../test/infra/synth.ts';
import { findLosses } from './losses.ts';

/** The template of a stage with every option: firewall, domain, email, pager, ceilings. */
export const TEMPLATE: Json = copyOf(EVERYTHING).template;

/** Changes a template. @returns false if it lacks what would be changed, or already has the change */
export type Change = (template: Json) => unknown;

/** The logical id that is this, or begins like this if a digest or the name of the stage follows. Empty if there is none. */
export function idOf({ Resources }: Json, start: string): string {
  return start in Resources ? start : (Object.keys(Resources).find((id) => id.startsWith(start)) ?? '');
}

/** Sets a part of a resource; null removes it. @param path in its properties, or in the resource, with a leading dot */
export const set =
  (start: string, path: string, value: Json): Change =>
  (template) => {
    const steps = path.startsWith('.') ? [path.slice(1)] : ['Properties', ...path.split('.')];
    const last = steps.pop() ?? '';
    const resource = template.Resources[idOf(template, start)];
    const parent = steps.reduce((each, step) => each?.[step], resource);
    if (parent === undefined || JSON.stringify(parent[last] ?? null) === JSON.stringify(value)) return false;
    if (value !== null) parent[last] = structuredClone(value);
    else if (Array.isArray(parent)) parent.splice(Number(last), 1);
    else delete parent[last];
    return true;
  };

export const remove =
  (start: string): Change =>
  (template) =>
    idOf(template, start) !== '' && delete template.Resources[idOf(template, start)];

/** Adds a resource, or puts it in the place of another one. */
export const add =
  (id: string, Type: string, Properties: Json = {}): Change =>
  ({ Resources }) =>
    Object.assign(Resources, { [id]: { Type, Properties: structuredClone(Properties) } });

/** Adds a copy of a resource under the id "Extra". @param properties that differ */
export const copyWith =
  (start: string, properties: Json = {}): Change =>
  (template) => {
    const { [idOf(template, start)]: resource } = template.Resources;
    if (resource === undefined) return false;
    const Extra = structuredClone({ ...resource, Properties: { ...resource.Properties, ...properties } });
    return Object.assign(template.Resources, { Extra });
  };

/** Gives a resource the id "Renamed", also where others refer to it. */
export const rename =
  (start: string): Change =>
  (template) => {
    const id = idOf(template, start);
    template.Resources = JSON.parse(JSON.stringify(template.Resources).replaceAll(`"${id}"`, '"Renamed"'));
    return id !== '';
  };

/** Sets sections of the template, such as its conditions. */
export const sections =
  (fields: Json): Change =>
  (template) =>
    Object.assign(template, structuredClone(fields));

export const both =
  (...changes: Change[]): Change =>
  (template) =>
    changes.every((each) => each(template) !== false);

/** What the guard says of a change. @param prepare changes the deployed template */
export function lossesOf(change: Change, prepare: Change = () => true): string[] {
  const before = structuredClone(TEMPLATE);
  prepare(before);
  const after = structuredClone(before);
  if (change(after) === false)
    throw new Error('The template lacks what would be changed, or has the change.');
  return findLosses(before, after).map(({ line }) => line);
}

/** What, the change, the resource or section that the guard names, and what is deployed before. */
export type Case = [what: string, change: Change, names?: string, prepare?: Change];

type Row = readonly [what: string, start: string, path: string, is: Json, was?: Json];
const listed: Readonly<Record<'refused' | 'passes', Row[]>> = parse(
  readFileSync(new URL('changes.yaml', import.meta.url), 'utf8'),
);
const changeOf = ([what, start, path, is, was]: Row): Case => [
  what,
  set(start, path, is),
  start,
  was === undefined ? undefined : set(start, path, was),
];

/** The changes of changes.yaml. */
export const REFUSED = listed.refused.map(changeOf);
export const PASSING = listed.passes.map(changeOf);
