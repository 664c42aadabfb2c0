import { isDeepStrictEqual } from 'node:util';
import { PlainError } from '../../cli/plain-error.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { clientSettings, explain, failed } from '../shared/aws.ts';
import { findStack, readCaller, refuseOtherAccount } from '../shared/deployed-stack.ts';
import { concurrency, gatewayLogs, reservation } from './account-facts.ts';
import { alarmEmail, alarms, clients, plants, tokens } from './data-facts.ts';
import { type Fact, type Question, textOf } from './fact.ts';
import { identityProvider } from './identity-provider-fact.ts';
import { live, protection, response, stackStatus, throttle } from './stage-facts.ts';

/** The facts, in their order. */
const QUESTIONS: Readonly<Record<string, Question>> = {
  credentials: async ({ account, region, arn }) => ({ seen: { account, Region: region, as: arn } }),
  stack: stackStatus,
  protection,
  live,
  response,
  throttle,
  concurrency,
  reservation,
  'gateway logs': gatewayLogs,
  'alarm email': alarmEmail,
  clients,
  'identity provider': identityProvider,
  'plants table': plants,
  'tokens table': tokens,
  alarms,
};

/** A fact in words. `seen`: there is nothing to compare it with. */
type Line = { name: string; mark: 'same' | 'differs' | 'seen' | 'not read'; says: string };

/**
 * Reads all facts about a stage at once, with the credentials of the environment. One that cannot be read does not stop the others.
 * @returns the facts, in order
 * @throws PlainError if the account of the credentials cannot be read, or is not the stage's
 */
export async function* examine(stage: Stage): AsyncGenerator<Line> {
  const settings = clientSettings(stage);
  const caller = await readCaller(settings).catch(failed('Nothing was read'));
  if (!caller.account) throw new PlainError("Nothing was read: STS's response has no account.");
  refuseOtherAccount(stage, caller.account);
  const stack = findStack(stage);
  const deployed = stack.then((found) => found ?? Promise.reject(new Error('the stage is not deployed')));
  // Each question that awaits the stack handles a failure.
  deployed.catch(() => undefined);
  const subject = { stage, stack, deployed, settings, ...caller };
  const unread = (error: unknown) => ({ mark: 'not read', says: explain(error) }) as const;
  const lines = Object.entries(QUESTIONS).map(async ([name, question]) => {
    return { name, ...(await question(subject).then(inLine, unread)) };
  });
  for (const line of lines) yield await line;
}

function inLine(fact: Fact): Omit<Line, 'name'> {
  const { seen, expected, repair } = fact;
  if (!('expected' in fact)) return { mark: 'seen', says: textOf(seen) };
  if (isDeepStrictEqual(seen, expected)) return { mark: 'same', says: textOf(seen) };
  const says = `${textOf(seen)} | ${textOf(expected)}`;
  return repair ? { mark: 'differs', says: `${says}  -> ${repair}` } : { mark: 'same', says };
}
