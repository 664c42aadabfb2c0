import { PROPERTIES, type PropertyName, typeOf } from '../../lambda/plant.ts';

/** What openapi.yaml says of the parts of a value. */
interface Schema {
  readonly type?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/**
 * The first property that the service would silently drop, or its path in a list or an object.
 * @param properties of a plant that the service accepts: names, and values as JSON
 */
export function unknownProperty(properties: Iterable<readonly [string, string]>): string | undefined {
  for (const [name, json] of properties) {
    if (!Object.hasOwn(PROPERTIES, name)) return name;
    const unknown = unknownIn(typeOf(name as PropertyName).schema, json, name);
    if (unknown !== undefined) return unknown;
  }
  return undefined;
}

/** The path of the first property that an object in a value does not have. @param json a value of this schema */
export function unknownIn(schema: Schema, json: string, path: string): string | undefined {
  return schema.items || schema.properties ? firstUnknown(schema, JSON.parse(json), path) : undefined;
}

function firstUnknown({ items, properties = {} }: Schema, value: unknown, path: string): string | undefined {
  if (typeof value !== 'object') return undefined;
  for (const [key, part] of Object.entries(value as object)) {
    const partPath = items ? `${path}[${key}]` : `${path}.${key}`;
    const schema = items ?? (Object.hasOwn(properties, key) ? properties[key] : undefined);
    const unknown = schema ? firstUnknown(schema, part, partPath) : partPath;
    if (unknown !== undefined) return unknown;
  }
  return undefined;
}
