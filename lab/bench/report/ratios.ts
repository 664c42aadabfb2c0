import type { Measured } from '../measure.ts';
import { deployedStart } from '../subjects.ts';

/** Instructions of a cold start, as a ratio to those of another subject that has the start script, too. NaN without counts. */
export function likeForLike(ours: Measured, peer: Measured): number {
  return total(ours, 'script') / total(peer, 'script');
}

/** The same ratio, with each as it is deployed: peers without the start script. */
export function asDeployed(ours: Measured, peer: Measured): number {
  return total(ours, deployedStart(ours.subject)) / total(peer, deployedStart(peer.subject));
}

const total = ({ cold }: Measured, start: keyof Measured['cold']) => cold[start].count?.total ?? Number.NaN;
