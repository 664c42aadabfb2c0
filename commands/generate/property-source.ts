import type { Schema } from '../../contract/openapi.ts';
import type { Property } from './model.ts';
import { type Kind, kindOf } from './property-kind.ts';
import { faultOfName } from './property-name.ts';

/** A property in TypeScript. */
export interface Source {
  /** How the function reads it. */
  readonly code: string;
  /** The types that the code calls. */
  readonly kinds: readonly Kind[];
  /** Its type in the client. */
  readonly clientType: string;
}

/** A property with its source. */
type Member = Pick<Property, 'name' | 'required'> & { readonly source: Source };

/** Writes a property in TypeScript. @throws Error that names the line of a keyword which no type has */
export function sourceOf({ schema, wrong }: Pick<Property, 'schema' | 'wrong'>): Source {
  const kind = kindOf(schema, wrong);
  const { type: _, description: __, format: ___, examples = [], ...keywords } = schema;
  /** The keywords that the function of a type takes as they are: all but these. */
  const limits = (...others: string[]) => {
    const given = Object.entries(keywords).filter(([name]) => !others.includes(name));
    return given.length === 0 ? '' : JSON.stringify(Object.fromEntries(given));
  };
  const inner = (each: Schema | undefined) => sourceOf({ schema: each as Schema, wrong });
  const made = (code: string, clientType: string, parts: readonly Source[] = []) => ({
    code,
    kinds: [kind, ...parts.flatMap(({ kinds }) => kinds)],
    clientType,
  });
  switch (kind) {
    case 'text':
      return made(`text(${limits()})`, 'string');
    case 'date-time':
    case 'date':
    case 'uuid':
    case 'email':
      return made(`${nameOf(kind)}()`, 'string');
    case 'choice': {
      const values = (schema.enum ?? []).map((each) => JSON.stringify(each));
      return made(`choice(${values})`, values.join(' | '));
    }
    case 'pattern': {
      if (examples.length === 0)
        throw wrong(`needs an example beside the pattern ${schema.pattern}, for the message`);
      const texts = [schema.pattern, `a text such as ${examples[0]}`].map((each) => JSON.stringify(each));
      return made(`pattern(${texts}, ${limits('pattern')})`, 'string');
    }
    case 'integer':
      if (
        [schema.minimum, schema.maximum].some((limit) => limit !== undefined && !Number.isSafeInteger(limit))
      )
        throw wrong('has a limit that a double changes; every int64 is within the limits of its type');
      return made(`integer(${limits()})`, 'bigint | number');
    case 'decimal': {
      const { multipleOf = 1 } = schema;
      const places = Math.round(-Math.log10(multipleOf));
      if (Number(`1e-${places}`) !== multipleOf)
        throw wrong('needs a power of ten as multipleOf, such as 0.01');
      return made(`decimal({ places: ${places}, ${limits('multipleOf').slice(1)})`, 'number');
    }
    case 'boolean':
      return made('boolean()', 'boolean');
    case 'list': {
      const items = inner(schema.items);
      const code = `list(${items.code}, ${limits('items')})`;
      return made(code, `readonly (${items.clientType})[]`, [items]);
    }
    case 'map': {
      const isSorted = (names: string[]) => names.join() === names.toSorted().join();
      if (!examples.every((each) => isSorted(Object.keys(Object(each)))))
        throw wrong('needs examples with their names in order, as the service returns them');
      const values = inner(schema.additionalProperties);
      const code = `map(${values.code}, ${limits('additionalProperties', 'propertyNames')})`;
      return made(code, `Readonly<Record<string, ${values.clientType}>>`, [values]);
    }
    case 'object': {
      const members = Object.entries(schema.properties ?? {}).map(([name, each]) => {
        const fault = faultOfName(name, false);
        if (fault) throw wrong(`has a property ${name}, which ${fault}`);
        return { name, required: schema.required?.includes(name) ?? false, source: inner(each) };
      });
      const clientType = `{ ${members.map((each) => field(each)).join(' ')} }`;
      const parts = members.map(({ source }) => source);
      return made(`object({ ${members.map(member)} })`, clientType, parts);
    }
  }
}

/** A property in a list of them. */
export function member({ name, required, source }: Member): string {
  return `${JSON.stringify(name)}: { type: ${source.code}, required: ${required} }`;
}

/** A property in an interface. */
export function field({ name, required, source }: Member, orUndefined = true): string {
  const type = required || !orUndefined ? source.clientType : `${source.clientType} | undefined`;
  return `readonly ${JSON.stringify(name)}${required ? '' : '?'}: ${type};`;
}

/** The function of a type, as property-types/ names it. */
export function nameOf(kind: Kind): string {
  return kind === 'date-time' ? 'dateTime' : kind;
}
