/**
 * The result of a query of CloudWatch Logs Insights, by the rules of its documentation (CloudWatch Logs User Guide, "Logs
 * Insights QL"). Supports the syntax that the stack uses, and throws on any other.
 * @param lines of the query's log groups, each as the object that its JSON stands for, or with its text as `@message`
 * @returns the rows, in order; a field without a value is absent
 */
export function resultOf(query: string, lines: readonly object[]): Row[] {
  return query.split('\n| ').reduce<Row[]>(
    (rows, command) => {
      const [name = '', rest = ''] = command.split(/ (.*)/s);
      const run = COMMANDS.get(name);
      if (!run) throw new Error(`Unknown command: ${command}`);
      return run(rows, rest);
    },
    lines.map((line) => ({ '@message': JSON.stringify(line), ...flat(line) })),
  );
}

type Value = string | number | boolean;
export type Row = Readonly<Record<string, Value>>;

const COMMANDS = new Map<string, (rows: Row[], rest: string) => Row[]>([
  ['filter', (rows, rest) => rows.filter((row) => rest.split(' or ').some((term) => holds(term, row)))],
  ['parse', (rows, rest) => rows.map((row) => parsed(row, rest))],
  ['fields', (rows, rest) => rows.map((row) => picked(row, rest.split(', ')))],
  ['stats', counted],
  ['sort', sorted],
  ['limit', (rows, rest) => rows.slice(0, Number(rest))],
]);

/** Fields of objects in a line have names with dots. */
function flat(line: object): Row {
  return Object.fromEntries(
    Object.entries(line).flatMap(([key, value]): [string, Value][] =>
      typeof value === 'object'
        ? Object.entries(flat(value)).map(([inner, each]) => [`${key}.${inner}`, each])
        : [[key, value]],
    ),
  );
}

const TERM =
  /^(?:ispresent\((?<present>[\w.]+)\)|(?<field>[\w.]+) (?:(?<operator>=|!=) (?<value>\d+|"[^"]*")|like \/(?<pattern>[^/]+)\/))$/;

function holds(term: string, row: Row): boolean {
  const { present, field = '', operator, value = '', pattern } = TERM.exec(term)?.groups ?? {};
  if (present) return row[present] !== undefined;
  if (field === '') throw new Error(`Unknown term: ${term}`);
  const found = row[field];
  if (found === undefined) return false;
  if (pattern) return new RegExp(pattern).test(String(found));
  return (String(found) === value.replaceAll('"', '')) === (operator === '=');
}

/** Adds the named groups of a regular expression; a row that does not match stays as it is. */
function parsed(row: Row, rest: string): Row {
  const [, field = '', pattern] = /^(@\w+) \/(.+)\/$/.exec(rest) ?? [];
  if (pattern === undefined) throw new Error(`Unknown parse: ${rest}`);
  return { ...row, ...new RegExp(pattern).exec(String(row[field] ?? ''))?.groups };
}

function picked(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(names.flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]])));
}

function counted(rows: Row[], rest: string): Row[] {
  const [, alias = '', by = ''] = /^count\(\*\) as (\w+) by (.+)$/.exec(rest) ?? [];
  if (alias === '') throw new Error(`Unknown statistics: ${rest}`);
  const groups = Map.groupBy(rows, (row) => JSON.stringify(picked(row, by.split(', '))));
  return [...groups].map(([fields, members]) => ({ ...JSON.parse(fields), [alias]: members.length }));
}

function sorted(rows: Row[], rest: string): Row[] {
  const [, field = '', order] = /^([@\w.]+) (asc|desc)$/.exec(rest) ?? [];
  // A number of a column, as in `sort 1`, is not documented.
  if (field === '' || /^\d+$/.test(field)) throw new Error(`Unknown order: ${rest}`);
  const sign = order === 'desc' ? -1 : 1;
  const compare = (a: Value = '', b: Value = '') =>
    typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));
  return rows.toSorted((a, b) => sign * compare(a[field], b[field]));
}
