import { PlainError } from '../../cli/plain-error.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import { clientSettings, explain, failed } from '../shared/aws.ts';
import { readCaller } from '../shared/caller.ts';
import { describeStack, refuseOtherAccount } from '../shared/deployed-stack.ts';
import { bootstrap, concurrency, gatewayLogs, reservation } from './account-facts.ts';
import { alarmEmail, alarms, clients, plants, tokens } from './data-facts.ts';
import type { Question } from './fact.ts';
import { live, protection, response, stackStatus, throttle } from './stage-facts.ts';

/** The facts, in their order. */
const QUESTIONS: Readonly<Record<string, Question>> = {
  credentials: async ({ account, region, arn }) => [`account ${account}, ${region}, ${arn}`],
  bootstrap,
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
  'plants table': plants,
  'tokens table': tokens,
  alarms,
};

/** A fact in words. `seen`: there is nothing to compare it with. */
export interface Line {
  readonly name: string;
  readonly mark: 'same' | 'differs' | 'seen' | 'not read';
  readonly says: string;
}

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
  const stack = describeStack(stage);
  // Each question that awaits the stack handles a failure.
  stack.catch(() => undefined);
  const lines = Object.entries(QUESTIONS).map(async ([name, question]): Promise<Line> => {
    try {
      const [seen, template, mend, differs = seen !== template] = await question({
        stage,
        stack,
        settings,
        ...caller,
      });
      if (template === undefined) return { name, mark: 'seen', says: seen };
      const says = `${seen} | ${template}`;
      return differs ? { name, mark: 'differs', says: `${says}  -> ${mend}` } : { name, mark: 'same', says };
    } catch (error) {
      return { name, mark: 'not read', says: explain(error) };
    }
  });
  for (const line of lines) yield await line;
}
