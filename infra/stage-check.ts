import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Stage } from './stages.ts';

/** DynamoDB counts one write unit for each KB of an item, and an item may have 400 KB. */
const UNITS_OF_LARGEST_ITEM = 400;

const HOST_NAME = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
const EMAIL = /^[^\s@,;<>"]+@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,63}$/i;
const CERTIFICATE_ARN = /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/;
const TABLE_NAME = /^[\w.-]{3,255}$/;

/** A value of the stage file, the rule it must meet, and what may stand there instead. */
type Rule = readonly [field: string, value: unknown, holds: (value: unknown) => boolean, choices: string];

/**
 * Finds the first value of a stage that cannot be meant, so that it is refused here rather than half way through a
 * deployment, or never.
 * @returns one line that names the field, the value and the choices; undefined when the stage is sound
 */
export function problemWith(stage: Stage): string | undefined {
  const broken = rules(stage).find(([, value, holds]) => value !== undefined && !holds(value));
  if (broken === undefined) return undefined;
  const [field, value, , choices] = broken;
  return `Stage ${stage.name}: ${field} cannot be ${JSON.stringify(value)}; it must be ${choices}.`;
}

function rules(stage: Stage): Rule[] {
  const { throttle, tableCeiling, aboveNormal, domain, borrowedTables } = stage;
  return [
    // API Gateway's own quota for an account and Region is 10,000 requests per second with a burst of 5,000.
    whole('throttle.rate', throttle.rate, 1, 10_000),
    whole('throttle.burst', throttle.burst, 1, 5_000),
    // DynamoDB's default quota for an on-demand table is 40,000 units each way.
    whole('tableCeiling.reads', tableCeiling?.reads, 1, 40_000),
    whole('tableCeiling.writes', tableCeiling?.writes, UNITS_OF_LARGEST_ITEM, 40_000),
    // Lambda's default quota is 1,000 concurrent executions, of which 100 must stay unreserved.
    whole('concurrency', stage.concurrency, 1, 900),
    whole('aboveNormal.refusedTokens', aboveNormal.refusedTokens, 1, 1_000_000),
    whole('aboveNormal.throttled', aboveNormal.throttled, 1, 1_000_000),
    // The least and the most that AWS WAF takes as the limit of a rate-based rule.
    whole('firewall.requests', stage.firewall?.requests, 10, 2_000_000_000),
    ['canaryMinutes', stage.canaryMinutes, (value) => [10, 15, 30].includes(Number(value)), '10, 15 or 30'],
    ['logDays', stage.logDays, isRetention, 'a number of days that CloudWatch Logs knows: 7, 30, 90, 365, …'],
    ['alarmEmail', stage.alarmEmail, matches(EMAIL), 'one e-mail address, such as operators@example.com'],
    ['domain.name', domain?.name, matches(HOST_NAME), 'a host name in lower case: plants.example.com'],
    [
      'domain.certificateArn',
      domain?.certificateArn,
      matches(CERTIFICATE_ARN),
      'the ARN of an ACM certificate',
    ],
    ['borrowedTables.plants', borrowedTables?.plants, matches(TABLE_NAME), 'the name of a table'],
    ['borrowedTables.accessTokens', borrowedTables?.accessTokens, matches(TABLE_NAME), 'the name of a table'],
  ];
}

function whole(field: string, value: unknown, least: number, most: number): Rule {
  const holds = (given: unknown) =>
    Number.isInteger(given) && Number(given) >= least && Number(given) <= most;
  return [field, value, holds, `a whole number from ${least} to ${most}`];
}

function matches(shape: RegExp): (value: unknown) => boolean {
  return (value) => typeof value === 'string' && shape.test(value);
}

function isRetention(value: unknown): boolean {
  // RetentionDays.INFINITE is a number too, 9999: logs that nobody ever deletes are not meant.
  return typeof value === 'number' && value !== RetentionDays.INFINITE && value in RetentionDays;
}
