import * as z from 'zod';
import { originProblem } from './origins.ts';
import { UsageError } from './usage-error.ts';

/** The days for which CloudWatch Logs can keep a log group (API reference, PutRetentionPolicy). */
const LOG_RETENTIONS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;

/** DynamoDB counts one write unit for each KB of an item, and an item may have 400 KB. */
const UNITS_OF_LARGEST_ITEM = 400;

/** A group of settings, and no others. */
const group = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.strictObject(shape, `an object with ${Object.keys(shape).join(', ')}`);
const text = (pattern: RegExp, mustBe: string) => z.string(mustBe).regex(pattern, mustBe);
const wholeNumber = (least: number, most: number = Number.MAX_SAFE_INTEGER, why = '') => {
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  const mustBe = `a whole number ${range}${why}`;
  return z.int(mustBe).min(least, mustBe).max(most, mustBe);
};
const yesOrNo = z.boolean('true or false');
const tableName = text(/^[\w.-]{3,255}$/, 'the name of a table');

/** A custom domain name, in addition to the gateway's. */
const domain = group({
  /** The host name, such as `plants.example.com`. */
  name: text(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,63}$/, 'a host name, such as plants.example.com'),
  /** An ACM certificate for it, in the stack's own Region. */
  certificateArn: text(
    /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/,
    'the ARN of a certificate in AWS Certificate Manager',
  ),
  /** The Route 53 zone for the DNS record; if absent, point the name at the output `DomainTarget` by hand. */
  zone: group({
    id: text(/^Z[A-Z0-9]+$/, 'the id of a Route 53 zone, such as Z0123456789'),
    name: z.string('the name of a Route 53 zone'),
  }).optional(),
});

/** The settings that differ between stages. Settings that all stages share are next to the resource. */
const settings = group({
  /** The AWS account that the stage belongs to; a deployment to another one is refused. Absent: any account. */
  account: text(/^\d{12}$/, 'the 12 digits of an AWS account, in quotes').optional(),
  /** The Region that the stage belongs to, such as `eu-central-1`; works like `account`. */
  region: text(/^[a-z]{2}(-[a-z]+)+-\d$/, 'an AWS Region, such as eu-central-1').optional(),
  /**
   * Whether the entry is also the template of stages such as `NAME-anna`, which need no entry of their own. They get all
   * settings except `domain` and `borrowedTables`, which belong to one stage. A protected stage cannot be a template.
   */
  isTemplate: yesOrNo.optional(),
  /**
   * Whether the data is protected: stack and tables have deletion protection, tables and logs remain when the stack is
   * deleted, and every published version of the function is kept for a rollback.
   */
  isProtected: yesOrNo,
  /** For how many minutes a new version gets only a tenth of the traffic; absent: all traffic at once. */
  canaryMinutes: z.literal([10, 15, 30], '10, 15 or 30').optional(),
  /** The gateway's throttle for the whole stage: requests per second, and the size of a burst. */
  throttle: group({ rate: wholeNumber(1), burst: wholeNumber(1) }).refine(
    ({ rate, burst }) => burst >= rate,
    { path: ['burst'], error: 'at least the rate' },
  ),
  /** The most request units per second of each table, to limit the cost; absent: DynamoDB's own quota. */
  tableCeiling: group({
    reads: wholeNumber(1),
    writes: wholeNumber(UNITS_OF_LARGEST_ITEM, undefined, ', because one plant can need as many'),
  }).optional(),
  /** Concurrent executions reserved for the function; absent: none, because a new account cannot reserve any. */
  concurrency: wholeNumber(1).optional(),
  /** For how many days logs are kept; one of CloudWatch Logs' retentions. */
  logDays: z.literal(LOG_RETENTIONS, 'a retention of CloudWatch Logs, such as 7, 30, 90 or 365'),
  /** How many refused tokens, or throttled requests, in five minutes set off an alarm. */
  aboveNormal: group({ refusedTokens: wholeNumber(1), throttled: wholeNumber(1) }),
  /** The address that alarms notify. SNS first asks it for its consent. */
  alarmEmail: text(
    /^[^\s@,;<>"]+@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,63}$/i,
    'one e-mail address, such as operators@example.com',
  ).optional(),
  /** A custom domain name; absent: only the gateway's. */
  domain: domain.optional(),
  /** A web application firewall that blocks an address after so many requests in five minutes; absent: none. */
  firewall: group({ requests: wholeNumber(10, 2_000_000_000) }).optional(),
  /**
   * The origins of browser apps that may use the service, such as `https://app.example.com`; absent: none. Only the first can
   * read the gateway's own answers. `*` is any origin, and not for a protected stage.
   */
  allowedOrigins: z
    .array(z.string('an origin, such as https://app.example.com'), 'a list of origins')
    .optional(),
  /** The names of existing tables to use instead of the stack's own: see "Restore to a point in time" in the runbook. */
  borrowedTables: group({ plants: tableName.optional(), accessTokens: tableName.optional() }).optional(),
});

const checked = settings
  .refine(({ isTemplate, isProtected }) => !(isTemplate && isProtected), {
    path: ['isTemplate'],
    error: 'false, because the stage is protected',
  })
  .superRefine(({ allowedOrigins, isProtected }, context) => {
    const problem = allowedOrigins && originProblem(allowedOrigins, isProtected);
    if (!problem) return;
    const isOne = typeof problem.value === 'string';
    const path = isOne ? ['allowedOrigins', allowedOrigins.indexOf(problem.value)] : ['allowedOrigins'];
    context.addIssue({ code: 'custom', path, message: problem.mustBe });
  });

/** The settings of a stage, as the stage file has them. */
export type StageSettings = Readonly<z.infer<typeof settings>>;

/** A stage: its settings, and its name, which is part of the names of the stack, the API's stage, alarms and metrics. */
export type Stage = StageSettings & { readonly name: string };

/** The name of a stack, after "PlantStore-", and of an API's stage allow these characters. */
const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const NAME_LENGTH = 30;
/** Reserved: `-c stage=all` means every stage, and PlantStore-pipeline is the stack of the deployment pipeline. */
const RESERVED = ['all', 'pipeline'];

/**
 * Checks a stage.
 * @throws UsageError with one line for each wrong setting: the stage, the setting, its value and what it must be
 */
export function checkStage({ name, ...others }: Stage): Stage {
  if (!NAME.test(name) || name.length > NAME_LENGTH || RESERVED.includes(name)) {
    throw new UsageError(
      `Stage ${JSON.stringify(name)}: a name has at most ${NAME_LENGTH} lower-case letters, digits and single hyphens, ` +
        `begins with a letter, and is not ${RESERVED.join(' or ')}.`,
    );
  }
  const { error, data } = checked.safeParse(others);
  if (error) {
    const lines = error.issues.flatMap((issue) => explain(issue, others));
    throw new UsageError(lines.map((line) => `Stage ${name}: ${line}`).join('\n'));
  }
  return { name, ...data };
}

function explain(issue: z.core.$ZodIssue, all: unknown): string[] {
  const { code, path, message } = issue;
  if (code === 'unrecognized_keys')
    return issue.keys.map((key) => `there is no setting ${[...path, key].join('.')}.`);
  // Not the issue's own input, which contains all settings if the rule is about several.
  const value = path.reduce((object, key) => (object as Record<PropertyKey, unknown>)[key], all);
  const problem = value === undefined ? 'is missing' : `cannot be ${JSON.stringify(value)}`;
  return [`${path.join('.')} ${problem}; it must be ${message}.`];
}
