// Loaded into a process that is measured: at its end, it writes to descriptor 4 what the process has used. In JavaScript, because a
// process that erases types takes more memory.
import { readFileSync, writeSync } from 'node:fs';

process.once('exit', () => {
  const { user, system } = process.cpuUsage();
  // proc(5). What getrusage(2) says is no less than what the parent had.
  const kilobytes = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
  writeSync(4, JSON.stringify({ cpu: (user + system) / 1e6, peak: kilobytes / 1024 }));
});
