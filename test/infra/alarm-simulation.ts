import { metricsOf } from './filter-pattern.ts';
import { type Json, only, plain, propertiesOf, type Synth } from './synth.ts';

/** What one request, or one call of a table, leaves behind. */
export interface Trace {
  /** The message of the function's line, if it has written one. */
  readonly line?: object;
  /** The type of the gateway's own response; '-' if it passed on the function's; absent if the gateway wrote no line. */
  readonly responseType?: string;
  /** What AWS counts, by the metric's name, and the operation if the metric has that dimension. */
  readonly counts?: Readonly<Record<string, number>>;
  /** The duration of the invocation in milliseconds. */
  readonly duration?: number;
}

/** How often each trace is left behind in a minute. The keys are minutes since the beginning. */
export type Happenings = Readonly<Record<number, readonly (readonly [number, Trace])[]>>;

/**
 * The alarms that fire while all this happens, by the definitions in a template. Only whole periods count.
 * @param minutes for how long the alarms watch
 */
export function firedBy(synth: Synth, happenings: Happenings, minutes: number): string[] {
  const alarms = Object.entries(propertiesOf(synth, 'AWS::CloudWatch::Alarm'));
  const watching = alarms.map(([id, alarm]) => ({ id, isOn: watch(synth, alarm, happenings, minutes) }));
  const composites = Object.entries(propertiesOf(synth, 'AWS::CloudWatch::CompositeAlarm'));
  const fired = Array.from({ length: minutes + 1 }, (_, minute) => {
    const on = watching.filter(({ isOn }) => isOn(minute)).map(({ id }) => id);
    return [...on, ...composites.filter(([, { AlarmRule }]) => holds(AlarmRule, on)).map(([id]) => id)];
  });
  const ids = [...alarms, ...composites].map(([id]) => id);
  return ids.filter((id) => fired.some((on) => on.includes(id)));
}

/** Whether the rule of a composite alarm holds while these alarms fire. */
function holds(rule: string, on: readonly string[]): boolean {
  const condition = rule
    .replaceAll(/ALARM\("\{(\w+)\.Arn\}"\)/g, (_, id) => String(on.includes(id)))
    .replaceAll('AND', '&&')
    .replaceAll('OR', '||')
    .replaceAll('NOT', '!');
  return new Function(`return ${condition}`)();
}

/**
 * Whether an alarm fires, minute by minute. Without data it does not, except by what its expression makes of it: alarms.test.ts.
 */
function watch(synth: Synth, alarm: Json, happenings: Happenings, minutes: number) {
  const seconds = alarm.Period ?? alarm.Metrics[1].MetricStat.Period;
  const period = seconds / 60;
  const starts = Array.from({ length: Math.floor(minutes / period) }, (_, n) => n * period);
  const isBreaching = starts.map((start) => {
    const traces = Object.entries(happenings)
      .filter(([minute]) => Number(minute) >= start && Number(minute) < start + period)
      .flatMap(([, those]) => those);
    const value = alarmValue(synth, alarm, traces);
    if (value === undefined) return false;
    return alarm.ComparisonOperator === 'LessThanThreshold'
      ? value < alarm.Threshold
      : value >= alarm.Threshold;
  });
  const { EvaluationPeriods: of, DatapointsToAlarm: needed } = alarm;
  return (minute: number) => {
    const over = Math.floor(minute / period);
    return isBreaching.slice(Math.max(0, over - of), over).filter(Boolean).length >= needed;
  };
}

type Traces = Happenings[number];

/** The alarm's metric, or expression of metrics, in one period; undefined without data. */
function alarmValue(synth: Synth, { Metrics, ...alarm }: Json, traces: Traces): number | undefined {
  if (!Metrics) return statistic(synth, alarm, alarm.Statistic ?? alarm.ExtendedStatistic, traces);
  const [{ Expression }, ...parts] = Metrics;
  const values = parts.map(({ MetricStat: { Metric, Stat } }: Json) =>
    statistic(synth, Metric, Stat, traces),
  );
  const ids = parts.map(({ Id }: Json) => Id);
  // The functions of CloudWatch's metric math that the stack uses. The rest is arithmetic as JavaScript has it.
  const IF = (condition: boolean, then: number, otherwise: number) => (condition ? then : otherwise);
  const FILL = (value: number | undefined, fill: number) => value ?? fill;
  const value = new Function('IF', 'FILL', ...ids, `return ${Expression}`)(IF, FILL, ...values);
  return Number.isNaN(value) ? undefined : value;
}

function statistic(synth: Synth, metric: Json, stat: string, traces: Traces): number | undefined {
  const percent = /^p(\d+)$/.exec(stat)?.[1];
  if (percent !== undefined) {
    const all = traces.flatMap(([times, { duration }]) =>
      duration === undefined ? [] : Array<number>(times).fill(duration),
    );
    return all.sort((a, b) => a - b)[Math.ceil((all.length * Number(percent)) / 100) - 1];
  }
  const counted = traces.map(([times, trace]) => times * (countOf(synth, metric, trace) ?? Number.NaN));
  const data = counted.filter((value) => !Number.isNaN(value));
  return data.length === 0 ? undefined : data.reduce((sum, value) => sum + value, 0);
}

/** What one trace adds to a metric; undefined if it gives the metric no data. */
function countOf(synth: Synth, metric: Json, trace: Trace): number | undefined {
  const { Namespace, MetricName, Dimensions = [] } = metric;
  if (Namespace.startsWith('PlantStore/')) {
    const { line, responseType } = trace;
    const counted = [
      ...(line ? metricsOf(synth, 'FunctionLogs', JSON.stringify({ message: line })) : []),
      ...(responseType ? metricsOf(synth, 'AccessLogs', accessLine(synth, responseType)) : []),
    ];
    // A filter gives its metric 0 for each other line.
    return line || responseType ? counted.filter((name) => name === MetricName).length : undefined;
  }
  const operation = Dimensions.find(({ Name }: Json) => Name === 'Operation')?.Value;
  return trace.counts?.[operation ? `${MetricName} ${operation}` : MetricName];
}

/** A line of the gateway, in which only the type of its response has a value. */
function accessLine(synth: Synth, responseType: string): string {
  const { Format } = only(synth, 'AWS::ApiGateway::Stage').Properties.AccessLogSetting;
  return plain(Format)
    .replaceAll('$context.error.responseType', responseType)
    .replaceAll(/\$context\.[\w.]+/g, '-');
}
