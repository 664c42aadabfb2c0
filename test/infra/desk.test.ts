import { describe, expect, test } from 'vitest';
import { findStage } from '../../infra/find-stage.ts';
import { runbookSection } from '../support/runbook.ts';
import { type Row, resultOf } from './insights.ts';
import { copyOf, resources } from './synth.ts';

const QUERIES = resources(copyOf(findStage('prod')), 'AWS::Logs::QueryDefinition');

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
const refused = (fault: string, address: string) =>
  outcome({ outcome: 'refused', error: 40102, fault, address });
const responded = (fields: object) => ({
  requestId: `gateway-${++requests}`,
  time: '1795316400000',
  address: '203.0.113.7',
  responseType: '-',
  integrationStatus: '200',
  functionStatus: '200',
  ...fields,
});
const times = <Line>(count: number, line: () => Line) => Array.from({ length: count }, line);

const failures = (error: number, fault: string, version: string, requests: number) => ({
  'message.error': error,
  'message.fault': fault,
  'message.version': version,
  'message.token': 'shop',
  requests,
});
/** Lambda Developer Guide, "Configuring CloudWatch log groups". */
const stream = (version: string) => ({
  '@logStream': `2026/11/22/PlantStore-prod-Function[${version}][0123456789abcdef]`,
});
/** Version 8 did not start, as Lambda reports it (Lambda Developer Guide, "Lambda Telemetry API Event schema reference"). */
const notStarted = (errorType: string) => ({
  ...stream('8'),
  time: '2026-11-22T03:00:01.000Z',
  type: 'platform.initReport',
  record: {
    initializationType: 'on-demand',
    phase: 'init',
    status: 'error',
    errorType,
    metrics: { durationMs: 151.2 },
  },
});
/** The row of it. */
const reported = (errorType: string) => ({
  version: '8',
  type: 'platform.initReport',
  'record.phase': 'init',
  'record.status': 'error',
  'record.errorType': errorType,
});
const DENIED = { responseType: 'API_CONFIGURATION_ERROR', integrationStatus: '-', functionStatus: '-' };
const MISSING = 'The environment variable ACCESS_TOKENS_TABLE is not set.';

/** What happened, as the two logs would show it. */
interface Incident {
  readonly function: readonly object[];
  readonly gateway?: readonly object[];
}

/** An incident, and what the runbook makes of it. */
interface Exercise extends Incident {
  readonly alarm: string;
  readonly cause: string;
  /** The query of the first command in the alarm's section, and its result. */
  readonly query: string;
  readonly rows: readonly Row[];
  /** What the runbook says about it, by section. */
  readonly says: Readonly<Record<string, string>>;
}

const EXERCISES: readonly Exercise[] = [
  {
    alarm: 'Faults',
    cause: 'the newest version may no longer use the table',
    function: [
      ...times(4, () => created),
      ...times(3, () => failed(50001, 'AccessDeniedException', '8')),
      failed(50401, 'timeout', '7'),
    ],
    query: 'errors',
    rows: [failures(50001, 'AccessDeniedException', '8', 3), failures(50401, 'timeout', '7', 1)],
    says: {
      Faults: 'Only the newest `message.version` has faults, since its deployment: [Roll back a deployment]',
      'The values of fault':
        "| `AccessDeniedException` | 50001 | the function's role may not use the table | [Undo a change by hand](recover.md#undo-a-change-by-hand) |",
    },
  },
  {
    alarm: 'RefusedTokens',
    cause: 'one client missed the rotation of its token',
    function: [
      created,
      ...times(9, () => refused('expired token', '203.0.113.7')),
      refused('malformed token', '198.51.100.4'),
      // No token at all is another error.
      outcome({ outcome: 'refused', error: 40101 }),
    ],
    query: 'refused-tokens',
    rows: [
      { 'message.fault': 'expired token', 'message.address': '203.0.113.7', requests: 9 },
      { 'message.fault': 'malformed token', 'message.address': '198.51.100.4', requests: 1 },
    ],
    says: {
      RefusedTokens: '`expired token`, or `unknown token` from one client only: it missed its rotation',
    },
  },
  {
    // What it does to clients, and that the repair ends it, is in unknown-tokens.test.ts.
    alarm: 'UnknownTokens',
    cause: 'somebody has emptied the token table',
    function: [
      ...times(8, () => refused('unknown token', '203.0.113.7')),
      ...times(4, () => refused('unknown token', '198.51.100.4')),
    ],
    query: 'refused-tokens',
    rows: [
      { 'message.fault': 'unknown token', 'message.address': '203.0.113.7', requests: 8 },
      { 'message.fault': 'unknown token', 'message.address': '198.51.100.4', requests: 4 },
    ],
    says: {
      // The other alarm that such lines may set off leads here, before it speaks of strangers.
      RefusedTokens:
        'In this order: - The list is empty, or several clients are missing: the tokens are gone, as in [UnknownTokens]',
      UnknownTokens:
        'The list is empty, or several clients are missing: the tokens were deleted. [Restore `accessTokens`](recover.md#restore-to-a-point-in-time)',
    },
  },
  {
    alarm: 'GatewayErrors',
    cause: 'somebody removed the permission to call the function',
    function: [created],
    gateway: [responded({}), ...times(2, () => responded(DENIED))],
    query: 'gateway-errors',
    rows: [{ ...DENIED, address: '203.0.113.7', requests: 2 }],
    says: {
      GatewayErrors:
        '| `API_CONFIGURATION_ERROR`, or `INTEGRATION_FAILURE` | 403, 500 or `-` | the gateway is not allowed to call the alias, or there is none: [Undo a change by hand](recover.md#undo-a-change-by-hand) |',
    },
  },
  {
    alarm: 'Silence',
    cause: 'requests still arrive, but the tokens of all clients have expired',
    function: times(9, () => refused('expired token', '203.0.113.7')),
    query: 'errors',
    rows: [
      {
        'message.error': 40102,
        'message.fault': 'expired token',
        'message.version': '7',
        requests: 9,
      },
    ],
    says: { Silence: 'whether the tokens of all clients have expired' },
  },
  {
    alarm: 'FunctionErrors',
    cause: 'a deployment lost an environment variable',
    function: [
      created,
      {
        ...stream('8'),
        timestamp: '2026-11-22T03:00:00.000Z',
        level: 'ERROR',
        requestId: 'lambda-crash',
        // As AWS's runtime client wrote it (lab/runtime).
        message: { errorType: 'Error', errorMessage: MISSING, stackTrace: [] },
      },
      {
        ...stream('8'),
        time: '2026-11-22T03:00:01.000Z',
        type: 'platform.report',
        record: { requestId: 'lambda-crash', status: 'error' },
      },
    ],
    gateway: [responded({ responseType: 'DEFAULT_5XX', functionStatus: '-' })],
    query: 'reports',
    rows: [
      {
        version: '8',
        requestId: 'lambda-crash',
        'message.errorType': 'Error',
        'message.errorMessage': MISSING,
      },
      { version: '8', 'record.requestId': 'lambda-crash', type: 'platform.report', 'record.status': 'error' },
    ],
    says: {
      // The alarm on the gateway's responses fires too, and leads here.
      GatewayErrors:
        '`INTEGRATION_FAILURE` or `DEFAULT_5XX` | 200 | the function crashed or timed out: [FunctionErrors](#functionerrors)',
      FunctionErrors: '`message.errorMessage` names an environment variable that is not set',
    },
  },
  {
    alarm: 'FunctionErrors',
    cause: 'the file of the function is missing from the newest version',
    function: [
      { ...stream('7'), ...created },
      notStarted('Runtime.ImportModuleError'),
      {
        ...stream('8'),
        timestamp: '2026-11-22T03:00:00.000Z',
        level: 'ERROR',
        requestId: '-',
        // As AWS's runtime client wrote it (lab/runtime).
        message: { errorType: 'ImportModuleError', errorMessage: "Error: Cannot find module 'handler'" },
      },
    ],
    query: 'reports',
    rows: [
      reported('Runtime.ImportModuleError'),
      {
        version: '8',
        requestId: '-',
        'message.errorType': 'ImportModuleError',
        'message.errorMessage': "Error: Cannot find module 'handler'",
      },
    ],
    says: { FunctionErrors: '`message.errorType` is `ImportModuleError`' },
  },
  {
    alarm: 'FunctionErrors',
    cause: 'the start script of the newest version cannot be run',
    function: [
      { ...stream('7'), ...created },
      notStarted('Runtime.ExitError'),
      { ...stream('8'), '@message': '/var/task/start-script.sh: Permission denied' },
    ],
    query: 'reports',
    rows: [
      reported('Runtime.ExitError'),
      { version: '8', text: '/var/task/start-script.sh: Permission denied' },
    ],
    says: {
      FunctionErrors: '- `text` names `start-script.sh`: [Start without the script]',
    },
  },
];

/** Runs a query of prod over the lines of its log groups. @param request its parameter */
function resultIn({ function: lines, gateway = [] }: Incident, query: string, request = ''): Row[] {
  const [, found] =
    QUERIES.find(([, { Properties }]) => Properties.Name === `PlantStore/prod/${query}`) ?? [];
  const { QueryString, LogGroupNames } = found?.Properties ?? {};
  const groups = JSON.stringify(LogGroupNames);
  return resultOf(QueryString.replaceAll('{{request}}', request), [
    ...(groups.includes('FunctionLogs') ? lines : []),
    ...(groups.includes('AccessLogs') ? gateway : []),
  ]);
}

// That such lines set off the alarm, and that the alarm names its section, is in the policies of metric filters and alarms.
describe('from the section of an alarm to the cause, with the runbook alone', () => {
  test.each(EXERCISES)('$alarm: $cause', ({ alarm, query, rows, says, ...incident }) => {
    const [, named = ''] =
      /^(?:\*\*First:\*\*|1\.) `npm run logs -- --stage prod --query ([\w-]+)`/m.exec(
        runbookSection(alarm),
      ) ?? [];
    expect({ query: named, rows: resultIn(incident, named) }).toEqual({ query, rows });
    for (const [section, text] of Object.entries(says))
      expect(runbookSection(section).replaceAll(/\s+/g, ' ')).toContain(text);
  });
});

test('the query of one request finds it in both logs, and the reports of its invocation', () => {
  const line = failed(50401, 'early response', '7');
  const id = line.message.request;
  const report = { type: 'platform.report', record: { requestId: line.requestId, status: 'timeout' } };
  const incident = { function: [created, line, report], gateway: [responded({ requestId: id })] };
  const run = (request: string) => resultIn(incident, 'request', request);
  expect(run(id)).toMatchObject([
    { 'message.error': 50401, requestId: line.requestId },
    { responseType: '-' },
  ]);
  expect(run(line.requestId)).toMatchObject([{ 'message.error': 50401 }, { 'record.status': 'timeout' }]);
});

test('a request that reuses the id of another is told apart by the ids that no caller can choose', () => {
  const line = failed(50401, 'timeout', '7');
  const id = line.message.request;
  const mine = { ...line, message: { ...line.message, extendedRequestId: 'JKJaXmPLvHcESHA=' } };
  const other = outcome({
    outcome: 'refused',
    error: 40101,
    request: id,
    extendedRequestId: 'XwBsLFZJjoEFpMw=',
  });
  const gateway = [
    responded({ requestId: id, extendedRequestId: 'XwBsLFZJjoEFpMw=', status: '400' }),
    responded({ requestId: id, extendedRequestId: 'JKJaXmPLvHcESHA=', status: '400' }),
  ];
  expect(resultIn({ function: [mine, other], gateway }, 'request', id)).toMatchObject([
    { 'message.error': 50401, 'message.extendedRequestId': 'JKJaXmPLvHcESHA=' },
    { 'message.error': 40101, 'message.extendedRequestId': 'XwBsLFZJjoEFpMw=' },
    { requestId: id, extendedRequestId: 'XwBsLFZJjoEFpMw=' },
    { requestId: id, extendedRequestId: 'JKJaXmPLvHcESHA=' },
  ]);
  expect(runbookSection('A client got 50401').replaceAll(/\s+/g, ' ')).toContain(
    'trust `extendedRequestId` rather than the `x-request-id`',
  );
});
