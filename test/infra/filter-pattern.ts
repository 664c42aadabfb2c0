import { resources, type Synth } from './synth.ts';

/**
 * Whether a log line matches a metric filter's JSON pattern, by the rules of CloudWatch Logs (CloudWatch Logs User
 * Guide, "Filter pattern syntax for metric filters"). Supports the syntax that the stack uses, and throws on any other.
 */
export function matches(pattern: string, line: string): boolean {
  const body = /^\{ (.+) \}$/.exec(pattern)?.[1];
  if (body === undefined) throw new Error(`Not a JSON pattern: ${pattern}`);
  if (body.includes('&&') && body.includes('||')) throw new Error(`Precedence is not known here: ${pattern}`);
  const event = parseEvent(line);
  const terms = body.split(/ && | \|\| /).map((term) => compile(term));
  if (event === undefined) return false;
  const holds = (term: Term) => term(event);
  return body.includes('||') ? terms.some(holds) : terms.every(holds);
}

type Term = (event: object) => boolean;

const TERM = /^\$((?:\.\w+)+) (=|!=|>=) (?:(\d+)|"([\w*]+)")$/;

function compile(term: string): Term {
  const [, path, operator, number, text] = TERM.exec(term) ?? [];
  if (path === undefined || operator === undefined) throw new Error(`Not a known term: ${term}`);
  const names = path.slice(1).split('.');
  const holds = number === undefined ? textTest(operator, text ?? '') : numberTest(operator, Number(number));
  return (event) => {
    const value = names.reduce<unknown>((object, name) => (object as Record<string, unknown>)?.[name], event);
    // A missing field matches nothing, not even "!=".
    return value !== undefined && holds(value);
  };
}

function numberTest(operator: string, expected: number): (value: unknown) => boolean {
  return (value) => {
    if (typeof value !== 'number') return false;
    if (operator === '=') return value === expected;
    return operator === '>=' ? value >= expected : value !== expected;
  };
}

function textTest(operator: string, expected: string): (value: unknown) => boolean {
  if (operator !== '=') throw new Error(`Not a known comparison of text: ${operator}`);
  if (expected === '*') return () => true;
  if (expected.includes('*')) throw new Error(`Not a known wildcard: ${expected}`);
  return (value) => value === expected;
}

/** JSON patterns match only lines that are one JSON object, not text or JSON with a prefix. */
function parseEvent(line: string): object | undefined {
  try {
    const event: unknown = JSON.parse(line);
    return typeof event === 'object' && event !== null ? event : undefined;
  } catch {
    return undefined;
  }
}

/** The metrics in which a line of a log group counts, in alphabetical order. */
export function metricsOf(synth: Synth, logGroup: 'FunctionLogs' | 'AccessLogs', line: string): string[] {
  return resources(synth, 'AWS::Logs::MetricFilter')
    .filter(([, { Properties }]) => Properties.LogGroupName.Ref.startsWith(logGroup))
    .filter(([, { Properties }]) => matches(Properties.FilterPattern, line))
    .map(([, { Properties }]) => Properties.MetricTransformations[0].MetricName)
    .sort();
}
