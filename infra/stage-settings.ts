/**
 * A stage is an entry of the stage file and nothing else: a team can add one without a change of scripts, workflow or tests. That
 * file is TypeScript, so an editor completes the settings; YAML or JSON would need a second schema for that. zod says in one line
 * what is wrong with a value, before anything is deployed, and adds 0.1 s to a synth. valibot loads faster, but zod is better
 * known, and the function contains neither. The tests have stages of their own, so a changed setting fails one only if it violates a policy.
 */
import * as z from 'zod';
import { identityProvider } from './identity-provider-setting.ts';

const positive = z.int().positive();
const text = (pattern: RegExp, error: string, ...examples: string[]) =>
  z.string().regex(pattern, error).meta({ examples });

/** A setting that each stage has, and what it means. */
const required = <Schema extends z.ZodType>(schema: Schema, description: string) =>
  schema.meta({ description });

/** A setting that a stage may leave out, what it means, and what holds without it. */
const optional = <Schema extends z.ZodType>(schema: Schema, description: string, absent: string) =>
  schema.optional().meta({ description, absent });

const domain = z.strictObject({
  name: text(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,63}$/, 'Invalid hostname', 'plants.example.com'),
  certificateArn: text(
    /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/,
    'Invalid ARN of an ACM certificate',
  ),
  zone: z.strictObject({ id: text(/^Z[A-Z0-9]+$/, 'Invalid Route 53 zone id'), name: z.string() }).optional(),
});

/**
 * The settings that differ between stages. Settings that all stages share are next to their resources. `npm run generate` writes
 * docs/stage-settings.md from this.
 */
export const settings = z.strictObject({
  account: optional(
    text(/^\d{12}$/, 'Invalid AWS account; it must have 12 digits', '111122223333'),
    'The AWS account of the stage; a deployment to another one is refused',
    'any account',
  ),
  region: optional(
    text(/^[a-z]{2,4}(-[a-z]+)+-\d$/, 'Invalid AWS Region', 'eu-central-1'),
    'The Region of the stage, whatever that of the environment',
    'any Region',
  ),
  isProtected: required(
    z.boolean(),
    'Whether the data is protected: stack, tables and log groups have deletion protection, tables and logs remain when the stack is ' +
      'deleted, and every published version of the function is kept for a rollback. Adds the alarm UnknownTokens',
  ),
  canaryMinutes: optional(
    z.literal([10, 15, 30]),
    'How long a new version gets only a tenth of the traffic',
    'all traffic at once',
  ),
  throttle: required(
    z.strictObject({ rate: positive, burst: positive }).refine(({ rate, burst }) => burst >= rate, {
      path: ['burst'],
      error: 'Too small: less than the rate',
    }),
    "The gateway's throttle for the whole stage: requests per second, and the size of a burst, which is at least the rate",
  ),
  tableCeiling: optional(
    z.strictObject({
      reads: positive,
      // DynamoDB counts one write unit for each KB of an item, and an item may have 400 KB.
      writes: z.int().min(400, 'Too small: one plant can need 400 units'),
    }),
    'The most request units per second of each table, to limit the cost. One plant can need 400 write units',
    "DynamoDB's own quota",
  ),
  concurrency: optional(
    positive,
    'Concurrent executions reserved for the function. A new account cannot reserve any',
    'none',
  ),
  plain: optional(
    z.boolean(),
    'Whether the function is built without what makes its start fast: [no start script](decisions.md#10-lambda-starts-node-through-a-script), ' +
      'the SDK as it is published, [no request in INIT](decisions.md#13-connected-before-the-first-request)',
    'false; a stack that is deployed from Windows has no start script',
  ),
  // The periods of CloudWatch Logs (API reference, PutRetentionPolicy).
  logDays: required(
    z.literal([
      1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
    ]),
    'How many days logs are kept',
  ),
  hasGatewayRole: optional(
    z.boolean(),
    "Whether another team keeps the role for the access logs of the Region's gateways; the stack then makes none",
    'false',
  ),
  aboveNormal: required(
    z.strictObject({ refusals: positive, refusedTokens: positive, throttled: positive, duration: positive }),
    'How many refused requests, refused tokens, or throttled requests or calls of a table, in five minutes fire an alarm; and how many ' +
      'milliseconds, if one request in ten takes as long for 15 minutes',
  ),
  keyArn: optional(
    text(
      /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/,
      'Invalid ARN of a KMS key',
      'arn:aws:kms:eu-central-1:111122223333:key/11112222-3333-4444-5555-666677778888',
    ),
    "A KMS key of your own, in the stack's own account and Region, for tables, logs and alarm topic, with a [policy](company.md#a-key-of-your-own) " +
      'for them. Needs `region`',
    "AWS's own keys",
  ),
  alarmEmail: optional(
    z.email(),
    'The address that alarms notify, after it has confirmed the email of SNS',
    'no email',
  ),
  pagerTopicArn: optional(
    text(
      /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/,
      'Invalid ARN of a standard SNS topic',
      'arn:aws:sns:eu-central-1:111122223333:Pager',
    ),
    "The standard SNS topic of a pager, in the stack's own account and Region, for the alarms that page. It must let " +
      'CloudWatch publish',
    'nobody is paged',
  ),
  // At least ten, because a pause of some minutes is no silence. At most a day: CloudWatch allows that with any period (API
  // reference, PutMetricAlarm, `Period`: a multiple of 60 seconds).
  expectsPlants: optional(
    z.strictObject({ minutes: z.int().min(10).max(1_440) }),
    'For clients that always send plants: after how many minutes without one the alarm Silence fires',
    'no such alarm',
  ),
  domain: optional(
    domain,
    "A domain name, with an ACM certificate in the stack's own Region. In `zone`, a Route 53 zone, the stack makes the DNS " +
      'record; without it, point the name at the output `DomainTarget` by hand',
    "only the gateway's name",
  ),
  vpcEndpoints: optional(
    z.array(text(/^vpce-[0-9a-f]+$/, 'Invalid id of a VPC endpoint', 'vpce-0123456789abcdef0')).min(1),
    'Makes the API [private](company.md#a-private-api): only these interface endpoints for `execute-api` reach it. Not with `domain`',
    'the API is public',
  ),
  firewall: optional(
    z.strictObject({ requests: z.int().min(10).max(2_000_000_000) }),
    "A web application firewall that blocks an address, even a client's, after so many requests in five minutes. Adds the alarm BlockedByFirewall",
    'none',
  ),
  allowedOrigins: optional(
    z.array(z.string().meta({ examples: ['https://app.example.com'] })).min(1),
    "The [origins](operate.md#allow-a-browser-app) of browser apps that may use the service. Only the first can read the gateway's own " +
      'responses. `*` alone allows any origin, but not in a protected stage',
    'none',
  ),
  identityProvider,
  acceptedLosses: optional(
    z.array(
      text(
        /^\w+ [a-z]+ [0-9a-f]{12}$/,
        'Invalid entry; copy it from the last line of npm run guard',
        'Plants removed 0123456789ab',
      ),
    ),
    'The losses that the next deployment may cause, each as the end of `npm run guard` names it. Remove them afterwards',
    'none',
  ),
});

/** The JSON schema of the settings of a stage. It lacks what a function checks, such as that a burst is not under the rate. */
export function settingsSchema(): object {
  return z.toJSONSchema(settings);
}

/** The settings of a stage, as the stage file has them. */
export type StageSettings = Readonly<z.infer<typeof settings>>;

/** A stage: its settings, and its name, which is part of the names of the stack, the API's stage, alarms and metrics. */
export type Stage = StageSettings & { readonly name: string };
