import { describe, expect, test } from 'vitest';
import { findStage } from '../../infra/stages.ts';
import { codeIn, runbookSection, tableIn } from '../../tools/contract/runbook.ts';
import { metricsOf } from './filter-pattern.ts';
import { type Row, resultOf } from './insights.ts';
import { copyOf, resources } from './synth.ts';

// With every alarm.
const PROD = copyOf({ ...findStage('prod'), expectsPlants: { minutes: 60 } });

/** What happened, as the two logs would show it. */
interface Incident {
  readonly function?: readonly object[];
  readonly gateway?: readonly object[];
}

let requests = 0;
const outcome = (fields: object) => ({
  timestamp: '2026-11-22T03:00:00.000Z',
  level: 'INFO',
  requestId: `lambda-${++requests}`,
  message: { duration: 9, request: `gateway-${requests}`, version: '7', ...fields },
});
const created = outcome({ outcome: 'created', token: 'shop', id: '1' });
const failed = (error: number, fault: string, version: string) =>
  outcome({ outcome: 'failed', error, fault, token: 'shop', id: '2', version });
const refused = (address: string) => outcome({ outcome: 'refused', error: 40102, address });
const answered = (fields: object) => ({
  requestId: `gateway-${++requests}`,
  time: '1795316400000',
  address: '203.0.113.7',
  responseType: '-',
  integrationStatus: '200',
  functionStatus: '200',
  ...fields,
});
const times = <Line>(count: number, line: () => Line) => Array.from({ length: count }, line);

/** How often a metric counts in an incident. */
function count(metric: string, incident: Incident): number {
  const counted = (group: 'FunctionLogs' | 'AccessLogs', lines: readonly object[] = []) =>
    lines.filter((line) => metricsOf(PROD, group, JSON.stringify(line)).includes(metric)).length;
  return counted('FunctionLogs', incident.function) + counted('AccessLogs', incident.gateway);
}

/** The alarm that the metric's count sets off, with its threshold and the section that its description names. */
function alarmOf(name: string) {
  const alarms = resources(PROD, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
  const { Threshold, AlarmDescription } = alarms.find(
    ({ AlarmName }) => AlarmName === `PlantStore-prod-${name}`,
  );
  const [, title] = /docs\/runbook-alarms\.md#(\w+)$/.exec(AlarmDescription) ?? [];
  expect(title).toBe(name.toLowerCase());
  return { threshold: Threshold as number, section: runbookSection(name) };
}

/** The first query that a section names, run over the logs of the incident. */
function diagnosed(section: string, incident: Incident): { query: string; rows: Row[] } {
  const [, query] = /quer(?:y|ies) `([\w-]+)`/.exec(section) ?? [];
  const name = `PlantStore/prod/${query}`;
  const found = resources(PROD, 'AWS::Logs::QueryDefinition').find(
    ([, { Properties }]) => Properties.Name === name,
  );
  const { QueryString, LogGroupNames } = found?.[1].Properties ?? {};
  const groups = JSON.stringify(LogGroupNames);
  const lines = [
    ...(groups.includes('FunctionLogs') ? (incident.function ?? []) : []),
    ...(groups.includes('AccessLogs') ? (incident.gateway ?? []) : []),
  ];
  return { query: String(query), rows: resultOf(QueryString, lines) };
}

/** The row of the first table in a section whose first cell has a word. */
const rowOf = (section: string, word: string) =>
  tableIn(section).find(([first]) => codeIn(first).includes(word));

describe('from the text of an alarm to the cause, with the runbook alone', () => {
  test('Faults: the newest version may no longer use the table', () => {
    const incident = {
      function: [
        ...times(4, () => created),
        ...times(3, () => failed(50001, 'AccessDeniedException', '8')),
        failed(50401, 'timeout', '7'),
      ],
    };
    const { threshold, section } = alarmOf('Faults');
    expect(count('Faults', incident)).toBeGreaterThanOrEqual(threshold);
    const { query, rows } = diagnosed(section, incident);
    expect(query).toBe('errors');
    const row = (error: number, fault: string, version: string, requests: number) => ({
      'message.error': error,
      'message.fault': fault,
      'message.version': version,
      'message.token': 'shop',
      requests,
    });
    expect(rows).toEqual([row(50001, 'AccessDeniedException', '8', 3), row(50401, 'timeout', '7', 1)]);
    expect(section).toContain('If only the newest `message.version` has faults');
    const [, errors, cause, act] =
      rowOf(runbookSection('The values of fault'), 'AccessDeniedException') ?? [];
    expect([errors, cause]).toEqual(['50001', "the function's role may not use the table"]);
    expect(act).toContain('runbook-procedures.md#undo-a-change-by-hand');
  });

  test('RefusedTokens: one client missed the rotation of its token', () => {
    const incident = {
      function: [
        created,
        ...times(100, () => refused('203.0.113.7')),
        refused('198.51.100.4'),
        // No token at all is another error, and does not count.
        outcome({ outcome: 'refused', error: 40101 }),
      ],
    };
    const { threshold, section } = alarmOf('RefusedTokens');
    expect(count('RefusedTokens', incident)).toBe(101);
    expect(threshold).toBe(100);
    const { query, rows } = diagnosed(section, incident);
    expect(query).toBe('refused-tokens');
    expect(rows).toEqual([
      { 'message.address': '203.0.113.7', requests: 100 },
      { 'message.address': '198.51.100.4', requests: 1 },
    ]);
    expect(section).toContain('is a client that missed its rotation');
  });

  test('GatewayErrors: somebody removed the permission to call the function', () => {
    const denied = { responseType: 'API_CONFIGURATION_ERROR', integrationStatus: '-', functionStatus: '-' };
    const incident = { function: [created], gateway: [answered({}), ...times(2, () => answered(denied))] };
    const { threshold, section } = alarmOf('GatewayErrors');
    expect(count('GatewayErrors', incident)).toBeGreaterThanOrEqual(threshold);
    const { query, rows } = diagnosed(section, incident);
    expect(query).toBe('gateway-errors');
    expect(rows).toEqual([{ ...denied, address: '203.0.113.7', requests: 2 }]);
    expect(rowOf(section, denied.responseType)?.[2]).toMatch(/^the gateway is not allowed to call the alias/);
    expect(section).toContain('runbook-procedures.md#undo-a-change-by-hand');
  });

  test('Silence: requests still arrive, but the tokens of all clients have expired', () => {
    const repeated = outcome({ outcome: 'repeated', token: 'shop', id: '1' });
    expect(count('Accepted', { function: [created, repeated] })).toBe(2);
    const incident = { function: times(9, () => refused('203.0.113.7')) };
    const { threshold, section } = alarmOf('Silence');
    expect(count('Accepted', incident)).toBeLessThan(threshold);
    const { query, rows } = diagnosed(section, incident);
    expect(query).toBe('errors');
    expect(rows).toMatchObject([{ 'message.error': 40102, requests: 9 }]);
    expect(section).toContain('the tokens of all clients may have expired');
  });

  test('FunctionErrors: a deployment lost an environment variable', () => {
    const crash = {
      timestamp: '2026-11-22T03:00:00.000Z',
      level: 'ERROR',
      requestId: 'lambda-crash',
      // As AWS's runtime client wrote it (lab/runtime).
      message: {
        errorType: 'Error',
        errorMessage: 'The environment variable ACCESS_TOKENS_TABLE is not set.',
        stackTrace: [],
      },
    };
    const report = {
      time: '2026-11-22T03:00:01.000Z',
      type: 'platform.report',
      record: { requestId: 'lambda-crash', status: 'error' },
    };
    const crashed = { responseType: 'DEFAULT_5XX', functionStatus: '-' };
    const incident = { function: [created, crash, report], gateway: [answered(crashed)] };
    // The metric is Lambda's own, so no line counts in it; the alarm on the gateway's answers fires too, and leads here.
    const { section } = alarmOf('FunctionErrors');
    expect(count('Faults', incident)).toBe(0);
    expect(count('GatewayErrors', incident)).toBe(1);
    expect(rowOf(runbookSection('GatewayErrors'), 'DEFAULT_5XX')?.[2]).toContain('(#functionerrors)');
    const { query, rows } = diagnosed(section, incident);
    expect(query).toBe('reports');
    expect(rows).toEqual([
      {
        requestId: 'lambda-crash',
        'message.errorType': 'Error',
        'message.errorMessage': 'The environment variable ACCESS_TOKENS_TABLE is not set.',
      },
      { 'record.requestId': 'lambda-crash', type: 'platform.report', 'record.status': 'error' },
    ]);
    expect(section.replaceAll('\n', ' ')).toContain(
      'an environment variable that is not set, means that the deployed code',
    );
  });
});

test('the query of one request finds it in both logs, and the reports of its invocation', () => {
  const line = failed(50401, 'early answer', '7');
  const id = line.message.request;
  const gateway = answered({ requestId: id });
  const report = { type: 'platform.report', record: { requestId: line.requestId, status: 'timeout' } };
  const [, query] =
    resources(PROD, 'AWS::Logs::QueryDefinition').find(([key]) => key === 'RequestQuery') ?? [];
  const run = (request: string) =>
    resultOf(query?.Properties.QueryString.replaceAll('{{request}}', request), [
      created,
      line,
      gateway,
      report,
    ]);
  expect(run(id)).toMatchObject([
    { 'message.error': 50401, requestId: line.requestId },
    { responseType: '-' },
  ]);
  expect(run(line.requestId)).toMatchObject([{ 'message.error': 50401 }, { 'record.status': 'timeout' }]);
});
