import type { Surface, Versions } from './surface.ts';
import type { Tree } from './tree.ts';

/** A difference between two surfaces that is not known to be harmless. */
export interface Break {
  /** A line for the changelog. */
  readonly line: string;
  /** The version whose major number must go up for it. */
  readonly needs: keyof Versions;
  /** Whether it has not gone up. */
  readonly isRefused: boolean;
}

const SEPARATOR = ' > ';
const NAME = '(?:(?! > ).)+';

type Section = Exclude<keyof Surface, 'versions'>;

/** Which version each section belongs to. */
const VERSION: Readonly<Record<Section, keyof Versions>> = {
  openapi: 'contract',
  errors: 'contract',
  cases: 'contract',
  client: 'client',
  log: 'service',
  settings: 'service',
};

/**
 * The only changes that pass. `*` is a name, `**` any number of names. Everything else may break somebody: what is removed,
 * changed or narrowed, and what nobody has judged yet.
 */
const HARMLESS: readonly (readonly [what: 'added' | 'removed', place: string])[] = [
  // Who does not know it does not use it.
  ['added', 'openapi > servers > *'],
  ['added', 'openapi > paths > *'],
  // "Answers may grow" and "New numbers may be added" in openapi.yaml.
  ['added', 'openapi > paths > ** > responses > * > headers > *'],
  ['added', 'openapi > paths > ** > responses > ** > properties > *'],
  ['added', 'openapi > paths > ** > responses > ** > schema > required > *'],
  ['added', 'errors > *'],
  // What may be sent, and was refused or ignored.
  ['added', 'openapi > paths > ** > requestBody > ** > properties > *'],
  ['removed', 'openapi > paths > ** > requestBody > ** > schema > required > *'],
  // A case that nobody had written down.
  ['added', 'cases > *'],
  ['added', 'client > exports > *'],
  ['added', 'client > types > *'],
  ['added', 'client > types > * > *?'],
  ['added', 'client > types > Plant > *'],
  ['added', 'client > types > PlantStore > *'],
  ['added', 'client > types > PlantStoreError > *'],
  ['added', 'client > types > PublishedErrorNumber > *'],
  ['added', 'log > fields > *'],
  ['added', 'log > fields > * > *'],
  ['added', 'log > faults > *'],
  ['added', 'settings > ** > enum > *'],
  ['added', 'settings > ** > properties > *'],
  ['removed', 'settings > ** > required > *'],
];

/** Finds each change since a release that is not known to be harmless. */
export function findBreaks(released: Surface, now: Surface): Break[] {
  const sections = Object.keys(VERSION) as Section[];
  return sections.flatMap((section) => {
    const needs = VERSION[section];
    const isRefused = !(major(now.versions[needs]) > major(released.versions[needs]));
    return changesOf(released[section], now[section], [section])
      .filter((change) => !isHarmless(change) && !isStillACase(change, now))
      .map((change) => ({ line: lineOf(change), needs, isRefused }));
  });
}

interface Change {
  readonly place: readonly string[];
  readonly was: Tree[string] | undefined;
  readonly is: Tree[string] | undefined;
}

/** The differences, each as far up as it is whole: a new object is one change. */
function changesOf(was: Change['was'], is: Change['is'], place: readonly string[]): Change[] {
  if (!isTree(was) || !isTree(is)) return was === is ? [] : [{ place, was, is }];
  const names = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [...names].flatMap((name) => changesOf(field(was, name), field(is, name), [...place, name]));
}

const isTree = (value: Change['was']): value is Tree => typeof value === 'object' && value !== null;
const field = (tree: Tree, name: string) => (Object.hasOwn(tree, name) ? tree[name] : undefined);

const PATTERNS = HARMLESS.map(([what, place]) => {
  const parts = place.split(' > ** > ').map((part) => part.replaceAll('?', '\\?').replaceAll('*', NAME));
  return { what, pattern: new RegExp(`^${parts.join(' > (?:.+ > )?')}$`) };
});

function isHarmless({ place, was, is }: Change): boolean {
  const done = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed';
  return PATTERNS.some(({ what, pattern }) => what === done && pattern.test(place.join(SEPARATOR)));
}

/** Whether a case has another name now, on which nobody relies. */
function isStillACase({ place: [section], was }: Change, now: Surface): boolean {
  return section === 'cases' && Object.values(now.cases).includes(was as string);
}

function lineOf({ place, was, is }: Change): string {
  const [section, ...names] = place;
  const what =
    is === undefined
      ? `is gone; it was ${text(was)}`
      : was === undefined
        ? `is new: ${text(is)}`
        : `changes from ${text(was)} to ${text(is)}`;
  return `- **Breaking:** ${section}: \`${names.join(SEPARATOR)}\` ${what}.`;
}

/** Long enough for every single value. */
const MAX_LENGTH = 120;

function text(value: Change['was']): string {
  const json = JSON.stringify(value);
  return json.length > MAX_LENGTH ? `${json.slice(0, MAX_LENGTH)}…` : json;
}

const major = (version: string) => Number.parseInt(version, 10);
