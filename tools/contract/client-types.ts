import { asSet, type Tree } from './tree.ts';

/**
 * The exported names of the client, and every type that they mention, member by member.
 * @param declarations as the compiler writes them: what is not indented begins a declaration or ends it
 * @throws Error if two files declare the same name
 */
export function clientTypes(declarations: string): { exports: Tree; types: Tree } {
  const text = declarations.replaceAll(/\/\*[\s\S]*?\*\//g, '');
  const declared = new Map<string, string>();
  for (const [, whole = '', name = ''] of text.matchAll(
    /^(?:export )?(?:declare )?((?:interface|class|type|function|const) (\w+)[\s\S]*?)(?=^\w|$(?![\s\S]))/gm,
  )) {
    if (declared.has(name)) throw new Error(`The client declares ${name} twice.`);
    declared.set(name, whole.trim());
  }
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from/gm)].map(([, names = '']) => names);
  const exported = [...lists.join().matchAll(/(?:type )?(\w+)/g)].map(([, name = '']) => name);
  const types = reachable(exported, declared).map((name) => [name, membersOf(declared.get(name) ?? '')]);
  return { exports: asSet(exported), types: Object.fromEntries(types) };
}

/** Some names, and all declared ones that their declarations mention, at any depth. */
function reachable(names: readonly string[], declared: ReadonlyMap<string, string>): string[] {
  const found = new Set<string>();
  const add = (name: string) => {
    const whole = declared.get(name);
    if (whole === undefined || found.has(name)) return;
    found.add(name);
    for (const word of whole.match(/\w+/g) ?? []) add(word);
  };
  for (const name of names) add(name);
  return [...found];
}

/** The parts of a declaration: the members of an interface or a class, those of a union, or the text of another one. */
function membersOf(declaration: string): Tree {
  const [, head = '', body] = /^((?:interface|class) [^{]*)\{\n([\s\S]*)\}$/.exec(declaration) ?? [];
  if (body === undefined) {
    const [, union] = /^type \w+ = ([^;{}]*);$/.exec(declaration) ?? [];
    return asSet(union?.split(' | ') ?? [declaration.replaceAll(/\s+/g, ' ')]);
  }
  // The inside of a member is indented further.
  const members = body
    .split(/\n(?= {4}\w)/)
    .map((member) => member.replaceAll(/\s+/g, ' ').trim())
    .filter((member) => member !== '');
  const named = members.map((member): [string, string] => {
    const [, name = member] = /^(?:(?:readonly|static) )*(\w+\??)(?: =|[:(])/.exec(member) ?? [];
    return [name, member];
  });
  return { '': head.trim(), ...Object.fromEntries(named) };
}
