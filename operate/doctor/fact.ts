import type { Stage } from '../../infra/stage-settings.ts';
import type { ClientSettings } from '../shared/aws.ts';
import type { DeployedStack, readCaller } from '../shared/deployed-stack.ts';

/** What was seen, if there is nothing to compare it with; or beside what the template or the settings of the stage say. */
export type Fact =
  | { readonly seen: unknown; readonly expected?: never; readonly repair?: never }
  /** With what to do if the two values differ; false if what was seen is as good as what was expected. */
  | { readonly seen: unknown; readonly expected: unknown; readonly repair: string | false };

/** What the facts are about, and whose credentials are used. */
interface Subject extends Awaited<ReturnType<typeof readCaller>> {
  readonly stage: Stage;
  /** The stage's stack; undefined if it is not deployed. Rejects if CloudFormation does not respond. */
  readonly stack: Promise<DeployedStack | undefined>;
  /** The same stack. Rejects also if it is not deployed. */
  readonly deployed: Promise<DeployedStack>;
  readonly settings: ClientSettings;
}

/** Reads one fact. Rejects if it cannot be read. */
export type Question = (subject: Subject) => Promise<Fact>;

/** The repair of what a deployment sets. */
export const UNDO = 'docs/recover.md#undo-a-change-by-hand';

/** The text of a value. */
export function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.map(textOf).join(' and ') || 'none';
  if (typeof value !== 'object' || value === null) return String(value ?? 'none');
  const parts = Object.entries(value).map(([name, each]) => `${name}: ${textOf(each)}`);
  return parts.join(', ') || 'none';
}

/** A field of a response of AWS, from which something is concluded. @throws Error if it is absent */
export function required<Field>(value: Field | undefined, name: string): Field {
  if (value !== undefined) return value;
  throw new Error(`AWS's response has no ${name}`);
}
