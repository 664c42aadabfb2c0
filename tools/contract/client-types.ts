/**
 * The exported names of the client, and every type that they mention, member by member.
 * @param declarations as the compiler writes them: what is not indented begins a declaration or ends it
 * @throws Error if two files declare the same name
 */
export function clientTypes(declarations: string): string[] {
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
  const mentioned = reachable(exported, declared).flatMap((name) => membersOf(declared.get(name) ?? ''));
  return [...exported.map((name) => `export ${name}`), ...mentioned];
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

/** The members of an interface or a class and those of a union, each with the name before it, or the text of another one. */
function membersOf(declaration: string): string[] {
  const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
  const [, head = '', body] = /^((?:interface|class) [^{]*)\{\n([\s\S]*)\}$/.exec(declaration) ?? [];
  const [, name, union] = /^(type \w+) = ([^;{}]*);$/.exec(declaration) ?? [];
  if (union !== undefined) return union.split(' | ').map((member) => `${name} = ${oneLine(member)}`);
  if (body === undefined) return [oneLine(declaration)];
  // The inside of a member is indented further.
  const members = body.split(/\n(?= {4}\w)/).map(oneLine);
  return [
    oneLine(head),
    ...members.filter((member) => member !== '').map((each) => `${oneLine(head)} > ${each}`),
  ];
}
