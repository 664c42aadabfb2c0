import { only, resources } from '../deployed.ts';
import { each, type Policy, same } from './policy.ts';

const STAGE = 'AWS::ApiGateway::Stage';

export const gatewayStagePolicies: Policy[] = [
  {
    says: 'the stage is throttled as the stage file says, traced, and writes no execution log',
    violations: (deployed) =>
      each(deployed, STAGE, ({ Properties }) => {
        const [settings = {}, ...others] = Properties.MethodSettings ?? [];
        const { rate, burst } = deployed.stage.throttle;
        return {
          'for all methods': same([settings.HttpMethod, settings.ResourcePath, others], ['*', '/*', []]),
          'requests per second': settings.ThrottlingRateLimit === rate,
          burst: settings.ThrottlingBurstLimit === burst,
          'X-Ray': Properties.TracingEnabled === true,
          'no execution log': settings.LoggingLevel === 'OFF' && settings.DataTraceEnabled === false,
        };
      }),
    mutations: [
      (d) => delete only(d, STAGE).Properties.MethodSettings,
      (d) => {
        only(d, STAGE).Properties.MethodSettings[0].ThrottlingRateLimit = 10_000;
      },
      (d) => {
        only(d, STAGE).Properties.MethodSettings[0].LoggingLevel = 'INFO';
      },
      (d) => delete only(d, STAGE).Properties.TracingEnabled,
    ],
  },
  {
    says: 'the access log tells request id, response type, latency and error as JSON, and never a header',
    violations: (deployed) =>
      each(deployed, STAGE, ({ Properties: { AccessLogSetting = {} } }) => {
        const format: string = AccessLogSetting.Format ?? '';
        const has = (...names: string[]) => names.every((name) => format.includes(`"$context.${name}"`));
        return {
          'request id, response type, latency and statuses': has(
            'requestId',
            'error.responseType',
            'responseLatency',
            'status',
            'integration.status',
          ),
          'nothing that a client writes freely':
            !/header|query|userAgent|user|caller|authorizer|\.message|rrorMessage|\$context\.(path|protocol)\b|integration\.error/i.test(
              format,
            ),
          'to a log group of this template': resources(deployed, 'AWS::Logs::LogGroup').some(([id]) =>
            JSON.stringify(AccessLogSetting.DestinationArn ?? '').includes(id),
          ),
        };
      }),
    mutations: [
      (d) => delete only(d, STAGE).Properties.AccessLogSetting,
      (d) => {
        only(d, STAGE).Properties.AccessLogSetting.Format += ',"agent":"$context.identity.userAgent"';
      },
      (d) => {
        only(d, STAGE).Properties.AccessLogSetting.Format += ',"message":"$context.error.message"';
      },
    ],
  },
  {
    says: "the stage waits for the account's logging role, which outlives every stack",
    violations: (deployed) => [
      ...each(deployed, 'AWS::ApiGateway::Account', (account, id) => ({
        'stays behind': account.DeletionPolicy === 'Retain',
        'its role stays behind':
          deployed.template.Resources[account.Properties.CloudWatchRoleArn['Fn::GetAtt'][0]]
            ?.DeletionPolicy === 'Retain',
        'the stage waits for it': only(deployed, STAGE).DependsOn?.includes(id) === true,
      })),
    ],
    mutations: [
      (d) => {
        only(d, 'AWS::ApiGateway::Account').DeletionPolicy = 'Delete';
      },
      (d) => delete d.template.Resources.ApiAccountA18C9B29,
    ],
  },
];
