import type { ColdCount } from '../callgrind.ts';
import type { Start } from '../environment.ts';
import type { Measured } from '../measure.ts';
import { deployedStart } from '../subjects.ts';
import { median } from './statistics.ts';

/** Instructions of a part of a cold start: the median of the counts; NaN without counts. */
export function counted({ cold }: Measured, start: Start, part: keyof ColdCount = 'total'): number {
  return median(cold[start].counts.map((count) => count[part]));
}

/** Instructions of a cold start, as a ratio to those of another subject that has the start script, too. */
export function likeForLike(ours: Measured, peer: Measured): number {
  return counted(ours, 'script') / counted(peer, 'script');
}

/** The same ratio, with each as it is deployed: peers without the start script. */
export function asDeployed(ours: Measured, peer: Measured): number {
  return counted(ours, deployedStart(ours.subject)) / counted(peer, deployedStart(peer.subject));
}
