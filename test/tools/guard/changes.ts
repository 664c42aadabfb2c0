import { findLosses } from '../../../tools/guard/losses.ts';
import { copyOf, type Json, PROTECTED } from '../../infra/synth.ts';

/** The deployed template of a protected stage. */
export const deployed: Json = copyOf(PROTECTED).template;

/** A change of a template. */
export type Change = (template: Json) => unknown;

export const nothing: Change = () => undefined;

/** One change after another. */
export const both = (...changes: Change[]): Change => {
  return (template) => changes.forEach((each) => void each(template));
};
/** Adds a resource, or puts it in the place of another one. */
export const add = (id: string, resource: Json): Change => {
  return ({ Resources }) => Object.assign(Resources, { [id]: structuredClone(resource) });
};
export const remove = (id: string): Change => {
  return ({ Resources }) => delete Resources[id];
};
/** Sets attributes of a resource, such as its condition. */
export const setAttributes = (id: string, attributes: Json): Change => {
  return ({ Resources }) => Object.assign(Resources[id], attributes);
};
export const setProperties = (id: string, properties: Json): Change => {
  return ({ Resources }) => Object.assign(Resources[id].Properties, properties);
};
/** Sets sections of the template, such as its conditions. */
export const setSections = (sections: Json): Change => {
  return (template) => Object.assign(template, sections);
};

/** A changed copy of a template. */
export function changed(change: Change, template: Json = deployed): Json {
  const copy = structuredClone(template);
  change(copy);
  return copy;
}

/** What the guard says of two templates. */
export function sentences(before: Json, after: Json): string[] {
  return findLosses(before, after).map(({ sentence }) => sentence);
}
