import { jsonIn } from '../../contract/json.ts';
import { propertiesOf, type Synth } from './synth.ts';

/**
 * Whether a log line matches a metric filter's JSON pattern, by the rules of CloudWatch Logs (CloudWatch Logs User
 * Guide, "Filter pattern syntax for metric filters"). Supports the syntax that the stack uses, and throws on any other.
 */
function matches(pattern: string, line: string): boolean {
  const body = /^\{ (.+) \}$/.exec(pattern)?.[1];
  if (body === undefined) throw new Error(`Not a JSON pattern: ${pattern}`);
  if (body.includes('&&') && body.includes('||')) throw new Error(`Both && and || in: ${pattern}`);
  // A JSON pattern matches only a line that is one JSON object, not text or JSON with a prefix.
  const event = jsonIn(line);
  const results = body.split(/ && | \|\| /).map((term) => holds(term, event));
  return body.includes('||') ? results.includes(true) : !results.includes(false);
}

/** A comparison with a number or a text; `= "*"` is any value. */
const TERM = /^\$((?:\.\w+)+) (?:(=|!=|>) (?:(\d+)|"([\w. -]+)")|= "(\*)")$/;

function holds(term: string, event: unknown): boolean {
  const [, path, operator, number, text, any] = TERM.exec(term) ?? [];
  if (path === undefined) throw new Error(`Unknown term: ${term}`);
  const names = path.slice(1).split('.');
  const value = names.reduce<unknown>((object, name) => (object as Record<string, unknown>)?.[name], event);
  // A missing field matches nothing, not even "!=".
  if (any !== undefined) return value !== undefined;
  const wanted = text ?? Number(number);
  if (operator === '>') return typeof value === 'number' && value > Number(number);
  return typeof value === typeof wanted && (value === wanted) === (operator === '=');
}

/** The metrics in which a line of a log group counts, in alphabetical order. */
export function metricsOf(synth: Synth, logGroup: 'FunctionLogs' | 'AccessLogs', line: string): string[] {
  return Object.values(propertiesOf(synth, 'AWS::Logs::MetricFilter'))
    .filter((filter) => filter.LogGroupName === `{${logGroup}}` && matches(filter.FilterPattern, line))
    .map(({ MetricTransformations: [{ MetricName }] }) => MetricName)
    .sort();
}
