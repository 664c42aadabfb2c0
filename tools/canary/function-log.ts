import { CloudWatchLogsClient, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import * as z from 'zod';
import type { DeployedStack } from '../stage/deployed-stack.ts';
import { TOKEN_NAME } from '../token/stage-access.ts';

/** A line of a request that was sent with the token of a verification. */
const requestLine = z.object({
  message: z.object({ request: z.string(), version: z.string().default('?') }),
});

/** Lines with our token, and those that Lambda writes where there is none: an error, or the report of a failed invocation. */
const OURS = `{ $.message.token = "${TOKEN_NAME}" || $.level = "ERROR" || $.type = "platform.report" }`;
/** A line without the name of a valid token matches nothing, not even `!=`: strangers do not count. */
const OF_CLIENTS = `{ $.message.token != "${TOKEN_NAME}" }`;

/** A failed invocation. */
interface Crash {
  readonly version: string;
  /** In milliseconds since the epoch. */
  readonly at: number;
}

/** What the log says of a time. */
export interface LogExcerpt {
  /** The version that answered each of our requests, by the id of the request. */
  readonly versions: ReadonlyMap<string, string>;
  readonly crashes: readonly Crash[];
}

/** The log of a stage's function. */
export class FunctionLog {
  readonly #client: CloudWatchLogsClient;
  readonly #logGroupName: string;

  private constructor(client: CloudWatchLogsClient, logGroupName: string) {
    this.#client = client;
    this.#logGroupName = logGroupName;
  }

  /** @throws PlainError if the stack has no such log; the SDK's error if a call fails */
  static async of(stack: DeployedStack): Promise<FunctionLog> {
    const name = await stack.physicalId('AWS::Logs::LogGroup', 'FunctionLogs');
    return new FunctionLog(new CloudWatchLogsClient(stack.settings), name);
  }

  /**
   * Whether clients have sent so many requests with a valid token.
   * @param from milliseconds since the epoch
   * @throws the SDK's error if a call fails
   */
  async hasClients(from: number, enough: number): Promise<boolean> {
    let count = 0;
    for await (const _ of this.#lines(OF_CLIENTS, from, enough)) {
      count += 1;
      if (count >= enough) return true;
    }
    return false;
  }

  /**
   * Reads what became of our requests.
   * @param from milliseconds since the epoch
   * @throws the SDK's error if a call fails
   */
  async read(from: number): Promise<LogExcerpt> {
    const versions = new Map<string, string>();
    const crashes: Crash[] = [];
    for await (const { message = '', logStreamName = '', timestamp: at = 0 } of this.#lines(OURS, from)) {
      const { data } = requestLine.safeParse(parsed(message));
      if (data) versions.set(data.message.request, data.message.version);
      else crashes.push({ version: versionOf(logStreamName), at });
    }
    return { versions, crashes };
  }

  async *#lines(filterPattern: string, startTime: number, pageSize?: number) {
    const input = { logGroupName: this.#logGroupName, filterPattern, startTime };
    const pages = paginateFilterLogEvents({ client: this.#client, pageSize }, input);
    for await (const { events = [] } of pages) yield* events;
  }
}

/** A stream is named `DATE/FUNCTION[VERSION][ID]` (AWS Lambda Developer Guide, "Configuring CloudWatch log groups"). */
function versionOf(stream: string): string {
  return /\[(\d+)\]/.exec(stream)?.[1] ?? '?';
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
