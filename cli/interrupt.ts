import { PlainError } from './plain-error.ts';

/** Ctrl-C, `kill`, and a terminal that was closed or a lost ssh. Without a listener, each ends the process at once. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Signals within this time after the first, in milliseconds, belong to it: an interactive shell whose terminal is closed sends
 * SIGHUP to its commands (GNU Bash manual, "Signals"), and the kernel sends it too; npm passes on a Ctrl-C that the terminal
 * has sent to the command already.
 */
const ONE_EVENT_MS = 1_000;

/**
 * Does work that a signal must not cut off in the middle. The first of {@link SIGNALS} aborts the work's controller; a later
 * one ends the process at once, as does any signal after the work.
 *
 * The work must end soon after it is aborted: it passes `stop.signal` to what it waits for. It calls
 * `stop.signal.throwIfAborted()` immediately before a step that cannot be undone, with no `await` between the two: nothing is
 * then begun after a signal.
 * @param message of the abort's reason, a PlainError
 * @param work may abort the controller itself, for a reason of its own
 * @returns what `work` returns, also if it was aborted too late to stop
 */
export async function withInterrupt<Result>(
  message: string,
  work: (stop: AbortController) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController();
  let since: number | undefined;
  const release = () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  const onSignal = (signal: NodeJS.Signals) => {
    since ??= performance.now();
    if (performance.now() - since < ONE_EVENT_MS) return stop.abort(new PlainError(message));
    release();
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    return await work(stop);
  } finally {
    release();
  }
}
