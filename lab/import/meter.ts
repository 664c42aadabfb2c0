/** Loaded into a process that is measured: at its end, it writes to descriptor 3 what the process has used. */
import { readFileSync, writeSync } from 'node:fs';

/** What a process has used. */
export interface Used {
  /** Seconds of CPU, in all threads. */
  readonly cpu: number;
  /** Megabytes: the most that were resident (proc(5), VmHWM; that of getrusage(2) is no less than what its parent had). */
  readonly peak: number;
}

process.once('exit', () => {
  const { user, system } = process.cpuUsage();
  const kilobytes = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
  const used: Used = { cpu: (user + system) / 1e6, peak: kilobytes / 1024 };
  writeSync(3, JSON.stringify(used));
});
