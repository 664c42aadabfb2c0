import { ERRORS } from '../lambda/published-errors.ts';

/** A query of CloudWatch Logs Insights. */
interface Query {
  readonly logs: readonly ('function' | 'gateway')[];
  /** The commands, one a line. docs/log.md explains the fields, and a test compares. */
  readonly commands: readonly string[];
  /** The parameter that stands in the commands as `{{name}}`, and what it is. */
  readonly parameter?: { readonly name: string; readonly description: string };
}

/** The plant may have been stored by this request, or by an earlier one. */
const MAY_BE_CREATED = `(message.error = ${ERRORS.NO_RESPONSE.error} or message.outcome = "created-or-repeated")`;

const TOKEN_NAME = { name: 'name', description: 'The name of an access token' };

/** The ids alone: commands that delete plants read them, and clients can choose `message.request`. */
function idsOfToken(condition: string): Query {
  return {
    logs: ['function'],
    commands: [
      `filter message.token = "{{name}}" and ${condition}`,
      'fields message.id',
      'sort message.id asc',
    ],
    parameter: TOKEN_NAME,
  };
}

/**
 * The questions of the runbook. `sort` names a field or an alias of `stats` (CloudWatch Logs User Guide, "sort"); `@timestamp`
 * is CloudWatch's own field. By the last part of their names: `npm run logs -- --stage NAME --query NAME` runs one.
 */
export const QUERIES: Readonly<Record<string, Query>> = {
  errors: {
    logs: ['function'],
    commands: [
      'filter ispresent(message.error)',
      // A fault that was repaired goes down.
      'stats min(@timestamp) as first, max(@timestamp) as latest, count(*) as requests by message.error, message.fault, message.throttlingReason, message.at, message.version, message.token',
      'sort latest desc',
    ],
  },
  'gateway-errors': {
    logs: ['gateway'],
    commands: [
      'filter responseType != "-"',
      'stats max(@timestamp) as latest, count(*) as requests by responseType, integrationStatus, functionStatus, address',
      'sort requests desc',
    ],
  },
  senders: {
    logs: ['gateway'],
    commands: [
      'filter ispresent(address)',
      'stats max(@timestamp) as latest, count(*) as requests by address, status, responseType',
      'sort requests desc',
    ],
  },
  'refused-tokens': {
    logs: ['function'],
    commands: [
      `filter message.error = ${ERRORS.INVALID_TOKEN.error}`,
      'stats count(*) as requests by message.fault, message.address',
      'sort requests desc',
    ],
  },
  'id-forms': {
    logs: ['function'],
    commands: [
      'filter ispresent(message.idForm)',
      'stats min(@timestamp) as first, max(@timestamp) as latest, count(*) as requests by message.token, message.idForm',
      'sort requests desc',
    ],
  },
  retries: {
    logs: ['function'],
    commands: [
      'filter ispresent(message.attempts)',
      'stats min(@timestamp) as first, max(@timestamp) as latest, count(*) as requests, max(message.duration) as slowest by message.fault, message.throttlingReason, message.attempts, message.outcome',
      'sort requests desc',
    ],
  },
  'slow-requests': {
    logs: ['function'],
    commands: [
      'filter ispresent(message.duration)',
      'fields @timestamp, message.duration, message.error, message.attempts, message.fault, message.coldStart, message.version, message.request, message.trace',
      'sort message.duration desc',
      'limit 50',
    ],
  },
  request: {
    logs: ['function', 'gateway'],
    // One of the two log groups has `message.request`, the other `requestId`. In the function's own, `requestId` is Lambda's
    // id of the invocation, with which a second run finds the runtime's reports. A plant's id is an id, too.
    commands: [
      'filter message.request = "{{request}}" or message.id = "{{request}}" or requestId = "{{request}}" or record.requestId = "{{request}}"',
      'fields @timestamp, address, requestId, extendedRequestId, message.extendedRequestId, responseType, integrationStatus, functionStatus, latency, functionLatency, trace, message.outcome, message.error, message.attempts, message.fault, message.throttlingReason, message.at, message.duration, message.id, message.token, message.version, message.errorType, type, record.status',
      'sort @timestamp asc',
    ],
    parameter: { name: 'request', description: 'The x-request-id of a response, or the id of a plant' },
  },
  token: {
    logs: ['function'],
    commands: [
      'filter message.token = "{{name}}"',
      'fields @timestamp, message.outcome, message.error, message.id, message.request',
      'sort @timestamp asc',
    ],
    parameter: TOKEN_NAME,
  },
  'last-failed': {
    logs: ['function'],
    // After a failure that outlasted the retries. Where no token could be looked up, the line has neither name nor id; without the
    // condition, a stranger's 40101 would be the last of these.
    commands: [
      'filter ispresent(message.token) or message.outcome = "failed"',
      'stats latest(message.outcome) as outcome, latest(message.error) as error, max(@timestamp) as latest by message.token, message.id',
      'filter outcome = "failed"',
      'sort latest desc',
    ],
  },
  created: idsOfToken('message.outcome = "created"'),
  'maybe-created': idsOfToken(`${MAY_BE_CREATED} and ispresent(message.id)`),
  version: {
    logs: ['function'],
    commands: [
      // Without an id, nothing was stored.
      `filter message.version = "{{version}}" and ispresent(message.id) and (message.outcome = "created" or ${MAY_BE_CREATED})`,
      'fields @timestamp, message.id, message.outcome, message.token',
      'sort @timestamp asc',
    ],
    parameter: { name: 'version', description: 'A version of the function' },
  },
  reports: {
    logs: ['function'],
    // At the level WARN no report names the version (Lambda Developer Guide, "Log-level filtering"), but the log stream's name
    // does ("Configuring CloudWatch log groups"). A line that is not JSON comes from Node or from the shell.
    commands: [
      'parse @logStream /\\[(?<version>.*?)\\]/',
      'parse @message /^(?<text>[^{\\s].*)/',
      // A failed request has a line of its own at this level, with an outcome.
      'filter (level = "ERROR" and not ispresent(message.outcome)) or type like /^platform/ or ispresent(text)',
      'fields @timestamp, version, type, record.phase, record.status, record.errorType, message.errorType, message.errorMessage, text, requestId, record.requestId',
      'sort @timestamp desc',
      'limit 200',
    ],
  },
};
