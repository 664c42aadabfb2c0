import type { Schema } from '../../contract/openapi.ts';
import type { Property } from './model.ts';
import { type Kind, kindOf } from './property-kind.ts';
import { faultOfName } from './property-name.ts';
import { DIGITS, MOST_PLACES } from './property-types/decimal.ts';

/** A property in TypeScript. */
export interface Source {
  /** How the function reads it. */
  readonly code: string;
  /** The types that the code calls. */
  readonly kinds: readonly Kind[];
  /** Its type in the client. */
  readonly clientType: string;
  /** Where it has doubles, as client/src/json.ts takes it; undefined if it has none. */
  readonly doubles: string | undefined;
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
  const made = (code: string, clientType: string, parts: readonly Source[] = [], doubles?: string) => ({
    code,
    kinds: [kind, ...parts.flatMap(({ kinds }) => kinds)],
    clientType,
    doubles,
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
    case 'int32': {
      const most = kind === 'int32' ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER;
      const [least = 0, largest = 0] = [schema.minimum, schema.maximum];
      if (![least, largest].every((limit) => Number.isInteger(limit) && limit >= -most - 1 && limit <= most))
        throw wrong(
          kind === 'int32'
            ? 'has a limit that no int32 has: leave it out'
            : 'has a limit that a double changes; every int64 is within the limits of its type: leave it out',
        );
      return made(`${kind}(${limits()})`, 'bigint | number');
    }
    case 'double': {
      const { format } = schema;
      const code = `double(${format ? JSON.stringify({ format, ...keywords }) : limits()})`;
      return made(code, 'number', [], 'true');
    }
    case 'decimal': {
      const { multipleOf = 1 } = schema;
      const places = Math.round(-Math.log10(multipleOf));
      if (Number(`1e-${places}`) !== multipleOf || places < 0 || places > MOST_PLACES)
        throw wrong(
          'needs a power of ten from 0.000001 to 1 as multipleOf, such as 0.01; without multipleOf it is a double',
        );
      if (Math.max(-(schema.minimum ?? 0), schema.maximum ?? 0) >= 10 ** (DIGITS - places))
        throw wrong(
          `may have more than the ${DIGITS} digits of which a double loses none: write closer limits, or leave multipleOf out for a double`,
        );
      return made(`decimal({ places: ${places}, ${limits('multipleOf').slice(1)})`, 'number');
    }
    case 'boolean':
      return made('boolean()', 'boolean');
    case 'list': {
      const items = inner(schema.items);
      const code = `list(${items.code}, ${limits('items')})`;
      return made(code, `readonly (${items.clientType})[]`, [items], ofEach(items));
    }
    case 'map': {
      const isSorted = (names: string[]) => names.join() === names.toSorted().join();
      if (!examples.every((each) => isSorted(Object.keys(Object(each)))))
        throw wrong('needs examples with their names in order, as the service returns them');
      const values = inner(schema.additionalProperties);
      const code = `map(${values.code}, ${limits('additionalProperties', 'propertyNames')})`;
      return made(code, `Readonly<Record<string, ${values.clientType}>>`, [values], ofEach(values));
    }
    case 'object': {
      const members = Object.entries(schema.properties ?? {}).map(([name, each]) => {
        const fault = faultOfName(name, false);
        if (fault) throw wrong(`has a property ${name}, which ${fault}`);
        return { name, required: schema.required?.includes(name) ?? false, source: inner(each) };
      });
      const clientType = `{ ${members.map((each) => field(each)).join(' ')} }`;
      const parts = members.map(({ source }) => source);
      return made(`object({ ${members.map(member)} })`, clientType, parts, doublesOf(members));
    }
  }
}

function ofEach({ doubles }: Source): string | undefined {
  return doubles && `[${doubles}]`;
}

/** Where properties have doubles. */
export function doublesOf(members: readonly Member[]): string | undefined {
  const some = members.flatMap(({ name, source: { doubles } }) =>
    doubles ? `${JSON.stringify(name)}: ${doubles}` : [],
  );
  return some.length === 0 ? undefined : `{ ${some} }`;
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
