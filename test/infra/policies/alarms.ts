import { readFileSync } from 'node:fs';
import { LAMBDA_TIMEOUT_MS } from '../../../lambda/limits.ts';
import { type Deployed, type Json, type Resource, resources } from '../deployed.ts';
import { leafMetrics, problemsWithMetric } from '../metric-facts.ts';
import { broken, each, type Policy, same } from './policy.ts';

const ALARM = 'AWS::CloudWatch::Alarm';

/** What must ring, and the metrics that it looks at. */
const ALARMS = {
  Faults: ['Faults'],
  StoreUnavailable: ['Unavailable'],
  Throttled: ['Throttled'],
  RefusedTokens: ['RefusedTokens'],
  NotCompleted: ['Invocations', 'Answered'],
  GatewayErrors: ['GatewayErrors'],
  FunctionErrors: ['Errors'],
  FunctionThrottles: ['Throttles'],
  SlowRequests: ['Duration'],
  TableThrottles: ['ThrottledRequests', 'ThrottledRequests'],
  TableErrors: ['SystemErrors', 'SystemErrors'],
};

const runbook = readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8');
const sections = [...runbook.matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
  title.toLowerCase().replaceAll(' ', '-'),
);

function alarm(deployed: Deployed, name: string): Resource {
  const [, found] =
    resources(deployed, ALARM).find(([, { Properties }]) => Properties.AlarmName.endsWith(`-${name}`)) ?? [];
  if (found === undefined) throw new Error(`no alarm ${name}`);
  return found;
}

export const alarmPolicies: Policy[] = [
  {
    says: 'there is an alarm for each way in which people are hurt',
    violations: (deployed) => {
      const found = resources(deployed, ALARM).map(([, { Properties }]) => [
        Properties.AlarmName.split('-').at(-1),
        leafMetrics(Properties).map(({ MetricName }) => MetricName),
      ]);
      return broken({ 'exactly these': same(Object.fromEntries(found), ALARMS) }, 'alarms');
    },
    mutations: [
      (d) => delete d.template.Resources[resources(d, ALARM)[0]?.[0] ?? ''],
      (d) => {
        alarm(d, 'FunctionErrors').Properties.MetricName = '5XXError';
      },
    ],
  },
  {
    says: 'every alarm says who is hurt, names a section of the runbook that exists, and tells the topic',
    violations: (deployed) =>
      each(deployed, ALARM, ({ Properties }) => {
        const [, section = ''] =
          /^Who is hurt: [A-Z].{20,}\. What to do: docs\/runbook\.md#([\w-]+)$/.exec(
            Properties.AlarmDescription,
          ) ?? [];
        const topic = [{ Ref: resources(deployed, 'AWS::SNS::Topic')[0]?.[0] }];
        return {
          'who is hurt, and what to do': section !== '',
          'a section that exists': sections.includes(section),
          'tells when it rings': same(Properties.AlarmActions, topic),
          'tells when it is over': same(Properties.OKActions, topic),
        };
      }),
    mutations: [
      (d) => {
        alarm(d, 'Faults').Properties.AlarmDescription = 'Too many errors';
      },
      (d) => {
        alarm(d, 'Throttled').Properties.AlarmDescription += '-or-other';
      },
      (d) => delete alarm(d, 'TableErrors').Properties.AlarmActions,
    ],
  },
  {
    says: 'every alarm can ring: its metrics get data, and reach its threshold',
    violations: (deployed) =>
      each(deployed, ALARM, ({ Properties }) => ({
        'from a value up':
          Properties.ComparisonOperator === 'GreaterThanOrEqualToThreshold' && Properties.Threshold > 0,
        'a duration before Lambda ends it':
          Properties.MetricName !== 'Duration' || Properties.Threshold < LAMBDA_TIMEOUT_MS,
        'no more periods than it looks at': Properties.DatapointsToAlarm <= Properties.EvaluationPeriods,
        'quiet without requests': Properties.TreatMissingData === 'notBreaching',
        ...Object.fromEntries(problemsWithMetric(deployed, Properties).map((problem) => [problem, false])),
      })),
    mutations: [
      (d) => {
        alarm(d, 'SlowRequests').Properties.Threshold = LAMBDA_TIMEOUT_MS;
      },
      (d) => {
        alarm(d, 'Faults').Properties.MetricName = 'Fault';
      },
      (d) => {
        alarm(d, 'Faults').Properties.Dimensions = [{ Name: 'Stage', Value: 'prod' }];
      },
      (d) => {
        alarm(d, 'NotCompleted').Properties.Metrics[0].Expression = 'invocations - answered';
      },
      (d) => alarm(d, 'TableErrors').Properties.Metrics[1].MetricStat.Metric.Dimensions.shift(),
      (d) => {
        alarm(d, 'FunctionErrors').Properties.Statistic = 'Average';
      },
    ],
  },
  {
    says: 'requests not completed ring at 3 or more in 2 of 3 periods of 5 minutes',
    violations: (deployed) => {
      const { Metrics, Threshold, DatapointsToAlarm, EvaluationPeriods } = alarm(
        deployed,
        'NotCompleted',
      ).Properties;
      const periods = Metrics.flatMap(({ MetricStat }: Json) => MetricStat?.Period ?? []);
      const found = [Threshold, DatapointsToAlarm, EvaluationPeriods, periods];
      return broken({ '3 or more, 2 of 3, 300 s': same(found, [3, 2, 3, [300, 300]]) }, 'NotCompleted');
    },
    mutations: [
      (d) => {
        alarm(d, 'NotCompleted').Properties.DatapointsToAlarm = 1;
      },
    ],
  },
  {
    says: 'what is above normal is a number of the stage file',
    violations: (deployed) => {
      const threshold = (name: string) => alarm(deployed, name).Properties.Threshold;
      const { refusedTokens, throttled } = deployed.stage.aboveNormal;
      return broken(
        {
          'refused tokens': threshold('RefusedTokens') === refusedTokens,
          throttled: threshold('Throttled') === throttled,
        },
        'thresholds',
      );
    },
    mutations: [
      (d) => {
        alarm(d, 'RefusedTokens').Properties.Threshold = 1;
      },
    ],
  },
];
