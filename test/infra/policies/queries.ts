import { every, type Policy } from './policy.ts';

/** The queries: name, log groups, commands, and perhaps a parameter. */
const QUERIES: Readonly<
  Record<string, [name: string, logGroups: string[], commands: string[], parameter?: object]>
> = {
  ErrorsQuery: [
    'errors',
    ['{FunctionLogs}'],
    [
      'filter ispresent(message.error)',
      'stats count(*) as requests by message.error, message.fault, message.at, message.version, message.token',
      'sort requests desc',
    ],
  ],
  GatewayErrorsQuery: [
    'gateway-errors',
    ['{AccessLogs}'],
    [
      // The gateway writes "-" where the function responded.
      'filter responseType != "-"',
      'stats count(*) as requests by responseType, integrationStatus, functionStatus, address',
      'sort requests desc',
    ],
  ],
  RefusedTokensQuery: [
    'refused-tokens',
    ['{FunctionLogs}'],
    [
      'filter message.error = 40102',
      'stats count(*) as requests by message.fault, message.address',
      'sort requests desc',
    ],
  ],
  SlowRequestsQuery: [
    'slow-requests',
    ['{FunctionLogs}'],
    [
      'filter ispresent(message.duration)',
      'fields @timestamp, message.duration, message.error, message.fault, message.coldStart, message.version, message.request, message.trace',
      'sort message.duration desc',
      'limit 50',
    ],
  ],
  RequestQuery: [
    'request',
    ['{FunctionLogs}', '{AccessLogs}'],
    [
      'filter message.request = "{{request}}" or requestId = "{{request}}" or record.requestId = "{{request}}"',
      'fields @timestamp, requestId, extendedRequestId, message.extendedRequestId, responseType, integrationStatus, functionStatus, latency, functionLatency, trace, message.outcome, message.error, message.fault, message.at, message.duration, message.id, message.token, message.version, message.errorType, type, record.status',
      'sort @timestamp asc',
    ],
    { Name: 'request', Description: 'The x-request-id of a response' },
  ],
  TokenQuery: [
    'token',
    ['{FunctionLogs}'],
    [
      'filter message.token = "{{name}}"',
      'fields @timestamp, message.outcome, message.error, message.id, message.request',
      'sort @timestamp asc',
    ],
    { Name: 'name', Description: 'The name of an access token' },
  ],
  ReportsQuery: [
    'reports',
    ['{FunctionLogs}'],
    [
      'parse @logStream /\\[(?<version>.*?)\\]/',
      'parse @message /^(?<text>[^{\\s].*)/',
      'filter level = "ERROR" or type like /^platform/ or ispresent(text)',
      'fields @timestamp, version, type, record.phase, record.status, record.errorType, message.errorType, message.errorMessage, text, requestId, record.requestId',
      'sort @timestamp desc',
      'limit 200',
    ],
  ],
};

export const queryPolicies: Policy[] = [
  {
    says: 'the queries of the runbook are in the folder of the stage, each for its log groups',
    violations: (synth) =>
      Object.entries(QUERIES).flatMap(([id, [name, LogGroupNames, commands, parameter]]) =>
        every(synth, id, {
          Name: `PlantStore/${synth.stage.name}/${name}`,
          LogGroupNames,
          QueryString: commands.join('\n| '),
          Parameters: parameter && [parameter],
        }),
      ),
  },
  {
    says: 'five percent of the requests are traced, none reserved',
    violations: (synth) => {
      const { name } = synth.stage;
      return every(synth, 'AWS::XRay::SamplingRule', {
        SamplingRule: {
          RuleName: `PlantStore-${name}`,
          Priority: 1_000,
          ReservoirSize: 0,
          FixedRate: 0.05,
          // What the gateway calls itself: the API, and its stage.
          ServiceName: `PlantStore-${name}/${name}`,
          ServiceType: 'AWS::ApiGateway::Stage',
          Host: '*',
          HTTPMethod: '*',
          URLPath: '*',
          ResourceARN: '*',
          Version: 1,
        },
      });
    },
  },
];
