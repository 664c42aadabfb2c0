/** A list in a text, in which lines register something, and the imports of a module. */

/** The lines of a list: `from` is the first, `to` the line after the last. */
interface Block {
  readonly from: number;
  readonly to: number;
}

const indentOf = (line: string) => line.search(/\S|$/);
const isRow = (line = '') => line.trimStart().startsWith('|');
const isBullet = (line = '') => /^\s*(?:-|\d+\.) /.test(line);
const CLOSER: Readonly<Record<string, string>> = { '[': ']', '{': '}', '(': ')' };

/** An item of a list, as text that does not depend on its place. */
const textOf = (item: readonly string[]) =>
  item
    .map((line) => line.trim())
    .join('\n')
    .trim();

/**
 * The lists that begin with a line. A list ends before the next line that is indented no deeper; a Markdown table, or a list that follows a
 * line of prose, at the first line that is none of it.
 */
function blocksOf(lines: readonly string[], opening: string): Block[] {
  const isDeeper = (each: string | undefined, than: string | undefined) =>
    indentOf(each ?? '') > indentOf(than ?? '');
  return lines.flatMap((line, n) => {
    if (line.trim() !== opening) return [];
    const first = lines[n + 1] === '' ? n + 2 : n + 1;
    const bullet = lines[first];
    let from = n + 1;
    let to = from;
    if (isRow(line)) while (isRow(lines[to])) to += 1;
    else if (isBullet(bullet) && !isDeeper(bullet, line)) {
      to = from = first;
      while (isDeeper(lines[to], bullet) || (isBullet(lines[to]) && !isDeeper(bullet, lines[to]))) to += 1;
    } else {
      const isInside = (each?: string) => each?.trim() === '' || isDeeper(each, line);
      while (isInside(lines[to])) to += 1;
      while (to > from && lines[to - 1]?.trim() === '') to -= 1;
    }
    return [{ from, to }];
  });
}

/** Splits lines into items: each has what is indented deeper, and what closes it. */
function itemsOf(lines: readonly string[]): string[][] {
  const base = Math.min(...lines.filter((line) => line.trim()).map(indentOf));
  const items: string[][] = [];
  for (const line of lines) {
    const isOfLast = line.trim() === '' || indentOf(line) > base || /^\s*[)\]}]/.test(line);
    if (isOfLast && items.length > 0) items.at(-1)?.push(line);
    else items.push([line]);
  }
  return items;
}

/** A list that stands in one line, such as `const ALL = [one, two];`, becomes one with a line for each item. */
function unfold(lines: readonly string[], opening: string): string[] {
  const closer = CLOSER[opening.at(-1) ?? ''];
  return lines.flatMap((line) => {
    const rest = line.trim().slice(opening.length);
    const end = rest.lastIndexOf(closer ?? '\n');
    if (!line.trim().startsWith(opening) || end < 0) return [line];
    const indent = ' '.repeat(indentOf(line));
    const items = splitAtCommas(rest.slice(0, end)).map((item) => `${indent}  ${item},`);
    return [indent + opening, ...items, indent + rest.slice(end)];
  });
}

function splitAtCommas(text: string): string[] {
  const items = [''];
  let depth = 0;
  for (const [token] of text.matchAll(/'(?:\\.|[^'])*'|"(?:\\.|[^"])*"|`(?:\\.|[^`])*`|[\s\S]/g)) {
    if ('([{'.includes(token)) depth += 1;
    if (')]}'.includes(token)) depth -= 1;
    if (token === ',' && depth === 0) items.push('');
    else items[items.length - 1] += token;
  }
  return items.map((item) => item.trim()).filter(Boolean);
}

/** Where an item belongs: before the first that follows it in the reference, or at the end. */
export function placeOf<T>(items: readonly T[], item: T, reference: readonly T[]): number {
  const at = reference.indexOf(item);
  const following = at < 0 ? [] : reference.slice(at + 1);
  const place = items.findIndex((each) => following.includes(each));
  return place < 0 ? items.length : place;
}

/** @returns the text without the items, or undefined if no list has them all */
export function withoutLines(text: string, opening: string, removed: string): string | undefined {
  const lines = unfold(text.split('\n'), opening);
  const unwanted = itemsOf(removed.trimEnd().split('\n')).map(textOf);
  const block = blocksOf(lines, opening).find(({ from, to }) => {
    const items = itemsOf(lines.slice(from, to)).map(textOf);
    return unwanted.every((each) => items.includes(each));
  });
  if (!block) return undefined;
  const kept = itemsOf(lines.slice(block.from, block.to)).filter((each) => !unwanted.includes(textOf(each)));
  return [...lines.slice(0, block.from), ...kept.flat(), ...lines.slice(block.to)].join('\n');
}

/**
 * Adds items to a list, each where a text has it that has them all, or else at the end. Those that are there stay.
 * @returns undefined if there is no such list, or more than one and the reference does not say which
 */
export function withLines(
  text: string,
  opening: string,
  added: string,
  reference: string,
): string | undefined {
  let lines = text.split('\n');
  if (blocksOf(lines, opening).length === 0) lines = unfold(lines, opening);
  const items = itemsOf(added.trimEnd().split('\n'));
  const there = unfold(reference.split('\n'), opening);
  const lists = blocksOf(there, opening).map(({ from, to }) => itemsOf(there.slice(from, to)).map(textOf));
  const which = lists.findIndex((list) => items.every((item) => list.includes(textOf(item))));
  const blocks = blocksOf(lines, opening);
  const block = blocks.length === 1 ? blocks[0] : blocks.length === lists.length ? blocks[which] : undefined;
  if (!block) return undefined;
  const list = itemsOf(lines.slice(block.from, block.to));
  const first = lines[block.from - 1] ?? '';
  const indent = list[0]
    ? indentOf(list[0][0] ?? '')
    : indentOf(first) + (isRow(first) || !CLOSER[opening.at(-1) ?? ''] ? 0 : 2);
  const own = Math.min(
    ...items
      .flat()
      .filter((line) => line.trim())
      .map(indentOf),
  );
  for (const item of items) {
    const texts = list.map(textOf);
    if (texts.includes(textOf(item))) continue;
    const indented = item.map((line) => line.trim() && ' '.repeat(indent) + line.slice(own));
    list.splice(placeOf(texts, textOf(item), lists[which] ?? []), 0, indented);
  }
  return [...lines.slice(0, block.from), ...list.flat(), ...lines.slice(block.to)].join('\n');
}

const STATEMENT = /^import\b[^;]*?(?:from )?'[^']+'(?: with \{[^}]*\})?;$/gm;
const NAMED = /^(import (?:type )?)\{([^}]*)\}( from '[^']+';)$/;
const namesOf = (statement: string) =>
  (NAMED.exec(statement)?.[2] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
/** What two statements that import names of one module have in common. */
const originOf = (statement: string) => statement.replace(NAMED, '$1$3');

/** Removes imports: of a statement in braces, only the names. @returns undefined if one is not there */
export function withoutImports(text: string, removed: string): string | undefined {
  if (!removed.match(STATEMENT)) return undefined;
  let kept = text;
  for (const unwanted of removed.match(STATEMENT) ?? []) {
    const names = namesOf(unwanted);
    const statement = (kept.match(STATEMENT) ?? []).find((each) =>
      names.length === 0
        ? each === unwanted
        : originOf(each) === originOf(unwanted) && names.every((name) => namesOf(each).includes(name)),
    );
    if (statement === undefined) return undefined;
    const rest = namesOf(statement).filter((name) => !names.includes(name));
    if (rest.length > 0)
      kept = kept.replace(statement, () =>
        statement.replace(NAMED, (_, start, __, end) => `${start}{ ${rest.join(', ')} }${end}`),
      );
    else kept = kept.replace(`${statement}\n`, '');
  }
  return kept;
}

/** Adds imports after the others; `npm run format` sorts and joins them. Names that are imported stay as they are. @returns undefined if there are none */
export function withImports(text: string, added: string): string | undefined {
  if (!added.match(STATEMENT)) return undefined;
  let result = text;
  for (const statement of added.match(STATEMENT) ?? []) {
    const there: readonly string[] = result.match(STATEMENT) ?? [];
    const names = namesOf(statement);
    const known = there.filter((each) => originOf(each) === originOf(statement)).flatMap(namesOf);
    const missing = names.filter((name) => !known.includes(name));
    if (there.includes(statement) || (names.length > 0 && missing.length === 0)) continue;
    const line = statement.replace(NAMED, (_, start, __, end) => `${start}{ ${missing.join(', ')} }${end}`);
    const last = there.at(-1);
    result =
      last === undefined
        ? `${line}\n\n${result.trimStart()}`
        : result.replace(last, () => `${last}\n${line}`);
  }
  return result;
}
