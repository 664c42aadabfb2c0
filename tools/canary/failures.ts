import { oneLine, print } from '../../terminal/print.ts';
import { explain } from '../stage/aws.ts';
import type { FunctionLog, LogExcerpt } from './function-log.ts';

/** A request that showed a failure of the service. */
export interface FailedRequest {
  /** When the request was sent and answered, in milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  /** The id of the request; undefined if there was no answer. */
  readonly request: string | undefined;
  readonly what: string;
}

/** Lines reach the log within seconds. After so long, in milliseconds, a line is no longer expected. */
const LOG_DELAY_MS = 30_000;
/** How far the clocks of this machine and of Lambda may differ, in milliseconds. */
const CLOCKS_MS = 2_000;

/** The failures so far. Each is printed, on one line, as soon as the log says which version answered. */
export class Failures {
  count = 0;
  readonly #log: FunctionLog;
  #waiting: FailedRequest[] = [];

  constructor(log: FunctionLog) {
    this.#log = log;
  }

  add(...found: FailedRequest[]): void {
    this.count += found.length;
    this.#waiting.push(...found);
  }

  /** Whether the version of a failure is not known yet. */
  get areWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Reads the log, if there are failures to look up, and prints those that it explains. */
  async lookUp(now = Date.now()): Promise<void> {
    const [oldest] = this.#waiting;
    if (oldest === undefined) return;
    const found = await this.#log.read(oldest.from - CLOCKS_MS).catch(explain);
    this.#waiting = this.#waiting.filter((failure) => {
      const by = answeredBy(failure, found);
      if (by === undefined && now - failure.to < LOG_DELAY_MS) return true;
      const unknown =
        typeof found === 'string' ? `unknown version (${found})` : 'unknown version (no log line)';
      print(lineOf(failure, by ?? unknown));
      return false;
    });
  }
}

/** Who answered, in words; undefined if the log does not say it. */
function answeredBy({ request, from, to }: FailedRequest, log: LogExcerpt | string): string | undefined {
  if (request === undefined) return 'no version';
  if (typeof log === 'string') return undefined;
  const version = log.versions.get(request);
  if (version !== undefined) return `version ${version}`;
  // The gateway answers for an invocation that has failed. The two have no id in common.
  const crash = log.crashes.find(({ at }) => at > from - CLOCKS_MS && at < to + CLOCKS_MS);
  return crash && `version ${crash.version}, which crashed`;
}

function lineOf({ from, request, what }: FailedRequest, by: string): string {
  const time = new Date(from).toISOString().slice(11, 19);
  return oneLine(`${time} ${by}: ${what}${request === undefined ? '' : `; request ${request}`}`);
}
