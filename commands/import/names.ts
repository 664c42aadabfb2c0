import { UsageError } from '../../cli/command-line.ts';
import { PlainError } from '../../cli/plain-error.ts';
import { Failure } from '../../lambda/errors.ts';
import type { Json } from '../../lambda/json.ts';
import { PROPERTY_NAMES, type PropertyName } from '../../lambda/plant.ts';

type Properties = ReadonlyMap<string, Json>;
type Option = 'rename' | 'ignore';

/** For whoever has a file with other names. */
export const TO_GO_ON =
  '--ignore NAME,NAME leaves names out; --rename NAME=PROPERTY makes a property of one.';

/** What `--rename` and `--ignore` say of the names at the top of a line. */
export type FileNames = ReturnType<typeof fileNames>;

/**
 * Reads the two options, and counts what it meets of the names that they give.
 * @param options.rename each `NAME=PROPERTY`; @param options.ignore each one name, or several with commas, as a row of CSV
 * @throws UsageError if a property is none of a plant, or a name or a property is given twice
 */
export function fileNames(options: { readonly [Name in Option]?: readonly string[] | undefined } = {}) {
  const given = [
    ...(options.rename ?? []).map((text) => ({ option: 'rename' as Option, ...renamed(text) })),
    ...(options.ignore ?? [])
      .flatMap(listed)
      .map((name) => ({ option: 'ignore' as Option, name, property: undefined })),
  ];
  for (const { option, name, property } of given) {
    if (name === '') throw new UsageError(`--${option} has a name that is empty.`);
    const isTwice = (each: (typeof given)[number]) =>
      each.name === name || (property !== undefined && each.property === property);
    if (given.filter(isTwice).length > 1)
      throw new UsageError(
        `--rename and --ignore may give ${JSON.stringify(name)}, and what it becomes, only once.`,
      );
  }
  const found = new Map(given.map((each) => [each.name, { ...each, isThere: false, count: 0 }]));
  const missing = () => [...found.values()].filter(({ isThere }) => !isThere);

  return {
    /** A line with the properties that it has then. @throws Failure 40002 if two become one */
    of(line: Properties): Properties {
      if (found.size === 0) return line;
      const named = new Map<string, Json>();
      for (const [name, value] of line) {
        const given = found.get(name);
        if (given) [given.isThere, given.count] = [true, given.count + 1];
        const property = given ? given.property : name;
        if (property === undefined) continue;
        if (named.has(property)) {
          const message = `By --rename, the line has a second ${JSON.stringify(property)}; --ignore leaves out one of them.`;
          throw new Failure('INVALID_PLANT', { message });
        }
        named.set(property, value);
      }
      return named;
    },
    /**
     * The columns of a header, with their properties; one that is left out has none.
     * @throws PlainError if the header lacks a name that an option gives
     */
    ofColumns(names: readonly string[]) {
      for (const { option, name } of found.values())
        if (!names.includes(name))
          throw new PlainError(`The header has no column ${JSON.stringify(name)}, which --${option} gives.`);
      return names.map((name) => {
        const given = found.get(name);
        if (!given) return { property: name };
        given.isThere = true;
        return { property: given.property, given };
      });
    },
    /** What was left out, and of how many lines. */
    leftOut: () => [...found.values()].filter(({ option, count }) => option === 'ignore' && count > 0),
    /** What no line has. */
    missing,
  };
}

/** The names between commas; in quotes, a comma belongs to the name, and a quote is doubled. */
function listed(text: string): string[] {
  const names = text.match(/(?<=^|,)(?:"(?:""|[^"])*"|[^,]*)(?=,|$)/g) ?? [];
  return names.map((name) => name.replace(/^"(.*)"$/s, (_, inner) => inner.replaceAll('""', '"')));
}

/** A property may have an equals sign in its name, too. @throws UsageError if there is no such property */
function renamed(text: string): { name: string; property: PropertyName } {
  const property = PROPERTY_NAMES.find((each) => text.endsWith(`=${each}`));
  if (property === undefined)
    throw new UsageError(
      `--rename is NAME=PROPERTY, such as --rename pk=id; the properties are ${PROPERTY_NAMES.join(', ')}.`,
    );
  return { name: text.slice(0, -property.length - 1), property };
}
