import { ERRORS } from '../../../lambda/errors.ts';
import { metricsOf } from '../filter-pattern.ts';
import { only, type Synth } from '../synth.ts';
import { ERROR_OF } from './gateway-responses.ts';
import { differ, every, type Policy } from './policy.ts';

/** The metric filters, each with the log group that it reads. */
const FILTERS = {
  Responses: 'FunctionLogs',
  Accepted: 'FunctionLogs',
  Faults: 'FunctionLogs',
  Unavailable: 'FunctionLogs',
  RefusedTokens: 'FunctionLogs',
  UnknownTokens: 'FunctionLogs',
  ValidTokens: 'FunctionLogs',
  Throttled: 'FunctionLogs',
  ThrottledByGateway: 'AccessLogs',
  GatewayErrors: 'AccessLogs',
};

/** In which metrics, besides Responses, a line of the function with an error counts; with any other error, in none. */
const COUNTED_ERRORS: Readonly<Record<number, string[]>> = {
  40102: ['RefusedTokens'],
  42901: ['Throttled'],
  50001: ['Faults'],
  50301: ['Unavailable'],
  50401: ['Faults'],
};

const refused = (fault: string) => ({ message: { outcome: 'refused', error: 40102, fault } });

/** Lines of the function's log group, each with the metrics in which it counts. */
const LINES: [line: object | string, metrics: string[]][] = [
  ...Object.values(ERRORS).map(({ error }): [object, string[]] => [
    { message: { outcome: error >= 50000 ? 'failed' : 'refused', error } },
    ['Responses', ...(COUNTED_ERRORS[error] ?? [])].sort(),
  ]),
  [{ message: { outcome: 'created', token: 'ci' } }, ['Accepted', 'Responses', 'ValidTokens']],
  [{ message: { outcome: 'repeated', token: 'ci' } }, ['Accepted', 'Responses', 'ValidTokens']],
  [{ message: { outcome: 'refused', error: 40002, token: 'ci' } }, ['Responses', 'ValidTokens']],
  [refused('malformed token'), ['RefusedTokens', 'Responses']],
  [refused('unknown token'), ['RefusedTokens', 'Responses', 'UnknownTokens']],
  [refused('expired token'), ['RefusedTokens', 'Responses']],
  [{ message: { outcome: 'preflight', duration: 0, request: 'r' } }, ['Responses']],
  // A missing field matches no comparison, not even "!=".
  [{ message: { outcome: 'failed' } }, ['Responses']],
  // JSON patterns match only lines that are one JSON object.
  ['INFO {"message":{"outcome":"created"}}', []],
  // Lambda's own lines about a crash or a timeout: these requests count as not completed.
  [{ level: 'ERROR', requestId: 'r', message: { errorType: 'Error', errorMessage: 'x' } }, []],
  [{ time: 't', type: 'platform.report', record: { status: 'timeout', error: 50401 } }, []],
];

/** In which metrics a response of the gateway's own with an error counts. */
function countedResponses(error: number): string[] {
  if (error >= 50000) return ['GatewayErrors'];
  return error === 42901 ? ['Throttled'] : [];
}

/** A line as the gateway writes it: each variable replaced by its value, or by a dash without one. */
function accessLine(synth: Synth, values: Readonly<Record<string, string>>): string {
  const { Format } = only(synth, 'AWS::ApiGateway::Stage').Properties.AccessLogSetting;
  return Format.replaceAll(/\$context\.([\w.]+)/g, (_: string, name: string) => values[name] ?? '-');
}

export const metricFilterPolicies: Policy[] = [
  {
    says: 'metric filters count lines of a log group, and have the default value 0, and so no dimensions',
    violations: (synth) =>
      Object.entries(FILTERS).flatMap(([name, group]) =>
        every(synth, `${name}Filter`, ({ FilterPattern }) => ({
          FilterPattern,
          LogGroupName: `{${group}}`,
          MetricTransformations: [
            {
              DefaultValue: 0,
              // The gateway's throttle and the table's give clients the same error.
              MetricName: name.replace('ByGateway', ''),
              MetricNamespace: `PlantStore/${synth.stage.name}`,
              MetricValue: '1',
            },
          ],
        })),
      ),
  },
  {
    says: 'each line of the log groups counts in the right metrics',
    violations: (synth) => [
      ...LINES.flatMap(([line, metrics]) => {
        const text = typeof line === 'string' ? line : JSON.stringify(line);
        return differ(`metrics of ${text}`, metricsOf(synth, 'FunctionLogs', text), metrics);
      }),
      // The gateway writes "-" where the function responded.
      ...Object.entries({ ...ERROR_OF, '-': [0] as const }).flatMap(([type, [error]]) => {
        const line = accessLine(synth, { 'error.responseType': type });
        return differ(`metrics of ${type}`, metricsOf(synth, 'AccessLogs', line), countedResponses(error));
      }),
    ],
  },
];
