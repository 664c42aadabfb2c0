import { type Json, only, resources, type Synth, textOf } from '../synth.ts';
import { differ, mutate, type Policy } from './policy.ts';

const DASHBOARD = 'AWS::CloudWatch::Dashboard';

/** Every widget from top to bottom: a heading, the alarms, or a graph with its metrics. */
const WIDGETS = [
  '# Is it up?',
  'Alarms: 11',
  'Requests, answers, and plants stored: Count, Answered, Created',
  '# Who is affected?',
  'Every client: faults, store unavailable: Faults, Unavailable, GatewayErrors',
  'Some clients: throttled, tokens refused: Throttled, RefusedTokens',
  '# Why?',
  'The function: Errors, Throttles, Requests without a log line',
  'The tables: Calls refused by a table, Calls that failed in DynamoDB',
  'Duration, 99th percentile, ms: Duration, Latency',
  '# What does it cost?',
  'Function: invocations, and total milliseconds: Invocations, Duration',
  'Tables: write units of plants, read units of access tokens: ConsumedWriteCapacityUnits, ConsumedReadCapacityUnits',
];

const widgets = (synth: Synth): Json[] =>
  JSON.parse(textOf(only(synth, DASHBOARD).Properties.DashboardBody)).widgets;

function summary({ properties: { markdown, title, alarms, metrics } }: Json): string {
  if (markdown !== undefined) return markdown;
  if (alarms !== undefined) return `${title}: ${new Set(alarms).size}`;
  // A metric is a list of namespace, name and more. An expression is an object with a label; its parts are hidden.
  const shown = metrics.filter((metric: Json[]) => metric.at(-1)?.visible !== false);
  return `${title}: ${shown.map(([first, name]: Json[]) => first.label ?? name).join(', ')}`;
}

const changeWidgets = (edit: (widgets: Json[]) => void) => (synth: Synth) => {
  const changed = widgets(synth);
  edit(changed);
  mutate(synth, [DASHBOARD, 'DashboardBody', JSON.stringify({ widgets: changed })]);
};

export const dashboardPolicies: Policy[] = [
  {
    says: 'the dashboard shows, from top to bottom, availability, affected clients, causes and cost',
    violations: (synth) => {
      const found = widgets(synth);
      const alarms = found.flatMap(({ properties }) => properties.alarms ?? []);
      const all = resources(synth, 'AWS::CloudWatch::Alarm').map(([id]) => `{${id}.Arn}`);
      return [
        ...WIDGETS.flatMap((required, index) =>
          differ(`widget ${index + 1}`, found[index] && summary(found[index]), required),
        ),
        ...differ('number of widgets', found.length, WIDGETS.length),
        ...differ('list of alarms', alarms, all),
      ];
    },
    mutants: [
      changeWidgets((all) => all.splice(0)),
      changeWidgets((all) => all.splice(2, 1)),
      changeWidgets((all) => all[1].properties.alarms.splice(2)),
    ],
  },
];
