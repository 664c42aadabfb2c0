import { explain } from '../stage/aws.ts';
import type { FunctionLog } from './function-log.ts';

/** Which versions answered our requests, in one sentence. @param from milliseconds since the epoch @param sent how many requests */
export async function versionsIn(log: FunctionLog, from: number, sent: number): Promise<string> {
  const found = await log.read(from).catch(explain);
  if (typeof found === 'string') return `${sent} requests; it is not known which version answered: ${found}`;
  const counts = Map.groupBy(found.versions.values(), (version) => version);
  const each = [...counts].map(([version, own]) => `version ${version} answered ${own.length}`);
  const missing = sent - found.versions.size;
  return `${sent} requests: ${[...each, ...(missing > 0 ? [`${missing} have no log line`] : [])].join(', ')}.`;
}
