import { type Json, only, resources, type Synth } from '../synth.ts';
import { broken, change, type Policy } from './policy.ts';

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

/** The widgets of the dashboard, with references replaced by logical ids. */
function widgets(synth: Synth): Json[] {
  const body: Json = only(synth, DASHBOARD).Properties.DashboardBody;
  const parts: Json[] = typeof body === 'string' ? [body] : body['Fn::Join'][1];
  const text = parts.map((part) => (typeof part === 'string' ? part : (part.Ref ?? part['Fn::GetAtt'][0])));
  return JSON.parse(text.join('')).widgets;
}

function summary({ properties: { markdown, title, alarms, metrics } }: Json): string {
  if (markdown !== undefined) return markdown;
  if (alarms !== undefined) return `${title}: ${new Set(alarms).size}`;
  // A metric is a list of namespace, name and more. An expression is an object with a label; its parts are hidden.
  const shown = metrics.filter((metric: Json[]) => metric.at(-1)?.visible !== false);
  return `${title}: ${shown.map(([first, name]: Json[]) => first.label ?? name).join(', ')}`;
}

export const dashboardPolicies: Policy[] = [
  {
    says: 'the dashboard shows, from top to bottom, availability, affected callers, causes and cost',
    violations: (synth) => {
      const found = widgets(synth);
      const alarms = found.flatMap(({ properties }) => properties.alarms ?? []);
      return broken('dashboard', {
        ...Object.fromEntries(
          WIDGETS.map((expected, index) => [
            `widget ${index + 1}`,
            [found[index] && summary(found[index]), expected],
          ]),
        ),
        'number of widgets': [found.length, WIDGETS.length],
        alarms: [
          alarms.sort(),
          resources(synth, 'AWS::CloudWatch::Alarm')
            .map(([id]) => id)
            .sort(),
        ],
      });
    },
    mutations: [
      change(DASHBOARD, 'Properties.DashboardBody', '{"widgets":[]}'),
      (synth) => {
        const all = widgets(synth);
        all.splice(2, 1);
        change(DASHBOARD, 'Properties.DashboardBody', JSON.stringify({ widgets: all }))(synth);
      },
      (synth) => {
        const all = widgets(synth);
        all[1].properties.alarms.length = 2;
        change(DASHBOARD, 'Properties.DashboardBody', JSON.stringify({ widgets: all }))(synth);
      },
    ],
  },
];
