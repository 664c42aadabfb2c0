import type { Property, Schema } from './model.ts';

/** The types of lambda/property-types/, each with the keywords that its schema may have besides `type`. */
const KEYWORDS = {
  text: ['minLength', 'maxLength'],
  choice: ['enum'],
  pattern: ['pattern', 'maxLength'],
  'date-time': ['format'],
  date: ['format'],
  uuid: ['format'],
  email: ['format'],
  integer: ['format', 'minimum', 'maximum'],
  decimal: ['multipleOf', 'minimum', 'maximum'],
  boolean: [],
  list: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required'],
  map: ['additionalProperties', 'propertyNames', 'maxProperties'],
} as const satisfies Record<string, readonly string[]>;
type Kind = keyof typeof KEYWORDS;

/** Those without which a type cannot be. */
const NEEDED: Partial<Record<Kind, readonly string[]>> = {
  pattern: ['maxLength'],
  decimal: ['minimum', 'maximum'],
  list: ['items', 'maxItems'],
  map: ['maxProperties', 'propertyNames'],
};

/** A property in TypeScript. */
export interface Source {
  /** How the function reads it. */
  readonly code: string;
  /** The types that the code calls. */
  readonly kinds: readonly Kind[];
  /** Its type in the client. */
  readonly clientType: string;
  /** What `typeof` says of its values. */
  readonly types: readonly string[];
}

/** Writes a property in TypeScript. @throws Error that names the line of a keyword which no type has */
export function sourceOf({ schema, wrong }: Pick<Property, 'schema' | 'wrong'>): Source {
  const kind = kindOf(schema);
  if (!kind)
    throw wrong(`has a type and format that no file of lambda/property-types/ has: ${whatExists(schema)}`);
  const { type: _, description: __, examples = [], ...keywords } = schema;
  const extra = Object.keys(keywords).find((each) => !(KEYWORDS[kind] as readonly string[]).includes(each));
  const missing = NEEDED[kind]?.find((each) => !(each in keywords));
  if (extra) throw wrong(`has the keyword ${extra}, which ${kind} does not have`);
  if (missing) throw wrong(`needs the keyword ${missing}`);
  const inner = (each: Schema) => sourceOf({ schema: each, wrong });
  const limits = literal(without(keywords, ['format', 'items', 'additionalProperties', 'propertyNames']));
  const scalar = (code: string, clientType: string, types = [clientType]) => ({
    code,
    kinds: [kind],
    clientType,
    types,
  });
  switch (kind) {
    case 'text':
      return scalar(`text(${limits})`, 'string');
    case 'choice': {
      const values = (schema.enum ?? []).map((each) => JSON.stringify(each));
      return scalar(`choice(${values})`, values.join(' | '), ['string']);
    }
    case 'pattern': {
      if (examples.length === 0) throw wrong('needs an example beside its pattern, for the message');
      const [source, mustBe] = [schema.pattern, `a text such as ${examples[0]}`].map((each) =>
        JSON.stringify(each),
      );
      return scalar(`pattern(${source}, ${mustBe}, ${literal(without(keywords, ['pattern']))})`, 'string');
    }
    case 'date-time':
    case 'date':
    case 'uuid':
    case 'email':
      return scalar(`${nameOf(kind)}()`, 'string');
    case 'integer':
      if (
        [schema.minimum, schema.maximum].some((limit) => limit !== undefined && !Number.isSafeInteger(limit))
      )
        throw wrong('has a limit that a double changes; every int64 is within the limits of its type');
      return scalar(`integer(${limits})`, 'bigint | number', ['bigint', 'number']);
    case 'decimal': {
      const places = Math.round(-Math.log10(schema.multipleOf ?? 1));
      if (Number(`1e-${places}`) !== (schema.multipleOf ?? 1))
        throw wrong('needs a power of ten as multipleOf, such as 0.01');
      const range = literal(without(keywords, ['multipleOf'])).slice(1);
      return scalar(`decimal({ places: ${places}, ${range})`, 'number');
    }
    case 'boolean':
      return scalar('boolean()', 'boolean');
    case 'list': {
      const items = inner(schema.items as Schema);
      const code = `list(${items.code}, ${limits})`;
      return { code, ...outer(kind, [items]), clientType: `readonly (${items.clientType})[]` };
    }
    case 'map': {
      const isSorted = (names: string[]) => names.join() === names.toSorted().join();
      if (!examples.every((each) => isSorted(Object.keys(Object(each)))))
        throw wrong('needs examples with their names in order, as the service returns them');
      const values = inner(schema.additionalProperties as Schema);
      const code = `map(${values.code}, ${limits})`;
      const clientType = `Readonly<Record<string, ${values.clientType}>>`;
      return { code, ...outer(kind, [values]), clientType };
    }
    case 'object': {
      const members = Object.entries(schema.properties ?? {}).map(([name, each]) => ({
        name,
        required: schema.required?.includes(name) ?? false,
        source: inner(each),
      }));
      const code = `object({ ${members.map(({ name, required, source }) => member(name, source, required))} })`;
      const clientType = `{ ${members.map(({ name, required, source }) => field(name, source, required)).join(' ')} }`;
      return {
        code,
        ...outer(
          kind,
          members.map(({ source }) => source),
        ),
        clientType,
      };
    }
  }
}

/** A property in a list of them. */
export function member(name: string, { code }: Source, required: boolean): string {
  return `${JSON.stringify(name)}: { type: ${code}, required: ${required} }`;
}

/** A property in an interface. */
export function field(name: string, { clientType }: Source, required: boolean, orUndefined = true): string {
  const type = required || !orUndefined ? clientType : `${clientType} | undefined`;
  return `readonly ${JSON.stringify(name)}${required ? '' : '?'}: ${type};`;
}

/** The function of a type, as lambda/property-types/ names it. */
export function nameOf(kind: Kind): string {
  return kind === 'date-time' ? 'dateTime' : kind;
}

const FORMATS = ['date-time', 'date', 'uuid', 'email'] as const;

function kindOf({ type, format, enum: values, pattern, additionalProperties }: Schema): Kind | undefined {
  if (type === 'string' && values) return 'choice';
  if (type === 'string' && format) return FORMATS.find((each) => each === format);
  if (type === 'string') return pattern === undefined ? 'text' : 'pattern';
  if (type === 'integer') return format === 'int64' ? 'integer' : undefined;
  if (type === 'object') return additionalProperties ? 'map' : 'object';
  return ({ number: 'decimal', boolean: 'boolean', array: 'list' } as const)[type as 'number'];
}

function whatExists({ type }: Schema): string {
  if (type === 'integer') return 'integer needs format: int64';
  if (type === 'string') return `string may have format: ${FORMATS.join(', ')}`;
  return 'there are string, integer, number, boolean, array and object';
}

function outer(kind: Kind, inside: readonly Source[]): Pick<Source, 'kinds' | 'types'> {
  return { kinds: [kind, ...inside.flatMap(({ kinds }) => kinds)], types: ['object'] };
}

function literal(keywords: object): string {
  return Object.keys(keywords).length === 0 ? '' : JSON.stringify(keywords);
}

function without(keywords: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(keywords).filter(([name]) => !names.includes(name)));
}
