import { Failure } from '../errors.ts';
import { type PropertyType, wrong } from './property-type.ts';

/** The properties of an object. Those of a plant are one, too. */
interface Members {
  // biome-ignore lint/suspicious/noExplicitAny: of any type, and unknown would accept none.
  readonly [name: string]: { readonly type: PropertyType<any>; readonly required: boolean };
}
type ValueOf<Member> = Member extends { readonly type: PropertyType<infer Value> } ? Value : never;
/** The object that has these properties. */
type ObjectOf<M extends Members> = {
  readonly [Name in keyof M as M[Name]['required'] extends true ? Name : never]: ValueOf<M[Name]>;
} & {
  readonly [Name in keyof M as M[Name]['required'] extends true ? never : Name]?: ValueOf<M[Name]>;
};

/** Makes an object that inherits nothing: a property that is left out may be called `constructor`. One of `Object.create(null)` is slow. */
const Empty = emptyObject as unknown as new () => Record<string, unknown>;
function emptyObject() {}
emptyObject.prototype = Object.create(null);

/**
 * An object with these properties. Others are accepted, and not kept.
 * @example object({ city: { type: text(), required: true }, zip: { type: text(), required: false } })
 */
export function object<const M extends Members>(members: M): PropertyType<ObjectOf<M>> {
  const all = Object.entries<Members[string]>(members);
  const required = all.filter(([, member]) => member.required).map(([name]) => name);
  const mustBe = 'an object';
  return {
    schema: {
      type: 'object',
      ...(required.length > 0 && { required }),
      properties: Object.fromEntries(all.map(([name, { type }]) => [name, type.schema])),
    },
    mustBe,
    read(sent, place) {
      if (!(sent instanceof Map)) throw wrong(place, mustBe);
      const value = new Empty();
      for (const [name, { type, required }] of all) {
        const each = sent.get(name);
        const path = place.path ? `${place.path}.${name}` : name;
        if (each !== undefined) value[name] = type.read(each, { path, isOptional: !required });
        else if (required)
          throw new Failure('INVALID_PLANT', { message: `${path} is missing; it must be ${type.mustBe}.` });
      }
      return value as ObjectOf<M>;
    },
    // A newer version, live at the same time, may have stored more.
    decode(attribute) {
      const stored = attribute?.M;
      if (!stored) return undefined;
      const value = new Empty();
      for (const [name, { type, required }] of all) {
        const isThere = Object.hasOwn(stored, name);
        const each = isThere ? type.decode(stored[name]) : undefined;
        if (each !== undefined) value[name] = each;
        else if (required || isThere) return undefined;
      }
      return value as ObjectOf<M>;
    },
  };
}
