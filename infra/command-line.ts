import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { originProblem } from './origins.ts';
import { STAGES, type Stage } from './stages.ts';

/** An error on the command line or in the stage file; its message is one line. Any other error is a bug in the app. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const KEYS = ['stage', 'canary', 'alarmEmail'];

/** DynamoDB counts one write unit for each KB of an item, and an item may have 400 KB. */
const UNITS_OF_LARGEST_ITEM = 400;

const EMAIL = /^[^\s@,;<>"]+@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,63}$/i;

/**
 * Reads the stage to deploy from the `-c key=value` options of the command line.
 * @param context the context of the app; the CDK's own keys contain a colon
 * @throws UsageError if an option or a value of the stage file is invalid; it names the value and the choices
 */
export function readStage(context: Readonly<Record<string, unknown>>): Stage {
  // Without this check a mistyped `-c stgae=prod` would deploy dev.
  const unknown = Object.keys(context).find((key) => !key.includes(':') && !KEYS.includes(key));
  if (unknown !== undefined) throw unknownValue('context key', unknown, KEYS);

  const { stage = 'dev', canary = 'on', alarmEmail } = context;
  const chosen = Object.values(STAGES).find(({ name }) => name === stage);
  if (chosen === undefined) throw unknownValue('stage', stage, Object.keys(STAGES));
  if (canary !== 'on' && canary !== 'off') throw unknownValue('canary', canary, ['on', 'off']);

  const { canaryMinutes: _, ...allAtOnce } = chosen;
  const result: Stage = {
    ...(canary === 'off' ? allAtOnce : chosen),
    ...(alarmEmail === undefined ? {} : { alarmEmail: String(alarmEmail) }),
  };
  checkStage(result);
  return result;
}

/**
 * Refuses values of a stage that its type allows but that would fail during a deployment or later.
 * @throws UsageError which names the field, the value and what it must be
 */
export function checkStage(stage: Stage): void {
  const { name, alarmEmail, tableCeiling, logDays, allowedOrigins } = stage;
  const refuse = (field: string, value: unknown, choices: string) => {
    throw new UsageError(
      `Stage ${name}: ${field} cannot be ${JSON.stringify(value)}; it must be ${choices}.`,
    );
  };
  if (alarmEmail !== undefined && !EMAIL.test(alarmEmail))
    refuse('alarmEmail', alarmEmail, 'one e-mail address, such as operators@example.com');
  const writes = tableCeiling?.writes ?? UNITS_OF_LARGEST_ITEM;
  if (writes < UNITS_OF_LARGEST_ITEM)
    refuse(
      'tableCeiling.writes',
      writes,
      `at least ${UNITS_OF_LARGEST_ITEM}, because one plant can need as many`,
    );
  // RetentionDays.INFINITE is also a number, 9999.
  if (logDays === RetentionDays.INFINITE || !(logDays in RetentionDays))
    refuse('logDays', logDays, 'a retention of CloudWatch Logs, such as 7, 30, 90 or 365');
  const problem = allowedOrigins && originProblem(allowedOrigins, stage.isProtected);
  if (problem) refuse('allowedOrigins', problem.value, problem.mustBe);
}

function unknownValue(what: string, value: unknown, choices: readonly string[]): UsageError {
  return new UsageError(`Unknown ${what} ${JSON.stringify(value)}; choose one of: ${choices.join(', ')}.`);
}
