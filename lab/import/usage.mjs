/** Loaded into a measured process: writes what it has used when it ends. */
import { writeFileSync } from 'node:fs';

const { USAGE_FILE } = process.env;
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeFileSync(USAGE_FILE, JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1000, rssKb: maxRSS }));
});
