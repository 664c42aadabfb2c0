import path from 'node:path';
import { stackName } from '../../infra/stack-names.ts';
import type { Stage } from '../../infra/stage-settings.ts';
import {
  countCommits,
  mergeCommands,
  parseAliasDescription,
  readWorkingCopy,
  type WorkingCopy,
} from '../../infra/working-copy.ts';
import type { DeployedStack } from '../shared/deployed-stack.ts';
import { gatewayRole } from './gateway-role.ts';
import { findLosses, type Loss, loss } from './losses.ts';
import type { GuardValues } from './options.ts';
import { deployedTemplate, field, type Template } from './templates.ts';

const PROJECT = path.join(import.meta.dirname, '../..');

/**
 * Compares the deployed template of a stage with the new one.
 * @param deployed undefined if the stage is not deployed
 * @param options.newTemplate that of a finished `cdk.out`; if absent, the stage is synthesized
 * @param options.folder of the working copy that would be deployed
 * @returns what to print, and whether the deployment is refused
 * @throws PlainError if a template cannot be read
 */
export async function compareStage(
  stage: Stage,
  deployed: DeployedStack | undefined,
  { allow = '', first = false, commit }: GuardValues,
  { newTemplate, folder = PROJECT }: { newTemplate?: Template; folder?: string } = {},
): Promise<{ lines: string[]; isRefused: boolean }> {
  const stack = stackName(stage.name);
  if (!deployed) {
    // Perhaps the name of the stack has changed, and the one with the data would be left behind.
    const line =
      'no such stack is deployed here. The wrong account or Region? npm run doctor shows both. If this is its first deployment, say so: --first';
    if (!first) return { lines: [`${stack}: ${line}`], isRefused: true };
    const summary = 'no such stack is deployed yet, so there is nothing of its own to lose.';
    const { losses, notes } = await gatewayRole(stage);
    return judged(stage, allow, [`${stack}: ${summary}`, ...notes.map((each) => `  ${each}`)], losses);
  }
  const before = await deployedTemplate(deployed);
  const copy = readWorkingCopy(folder, commit);
  const after = newTemplate ?? (await synthesized(stage));
  const order = compareCommits(before, folder, copy);
  const losses = [...order.losses, ...findLosses(before, after)];
  const note = copy.isModified ? ', with changes that are not committed' : '';
  const summary =
    losses.length > 0
      ? `the new template may lose something${note}.`
      : `nothing would be lost (${Object.keys(before.Resources).length} resources checked${note}).`;
  return judged(stage, allow, [`${stack}: ${summary}`, ...order.notes.map((each) => `  ${each}`)], losses);
}

async function synthesized(stage: Stage): Promise<Template> {
  // Only here: where the template is finished, there need be no CDK library.
  const { synthesize } = await import('./synthesize.ts');
  return synthesize(stage);
}

/** Tells which losses are accepted, and how to accept the others. @param lines to print first */
function judged(
  { name, acceptedLosses = [] }: Stage,
  allow: string,
  lines: readonly string[],
  losses: readonly Loss[],
): { lines: string[]; isRefused: boolean } {
  const allowed = allow.split(',');
  const isAccepted = ({ id, entry }: Loss) =>
    acceptedLosses.includes(entry) || allowed.includes(id) || allowed.includes('all');
  const refused = losses.filter((each) => !isAccepted(each));
  const entries = refused.map(({ entry }) => `'${entry}'`).join(', ');
  const ids = [...new Set(refused.map(({ id }) => id))].join();
  const advice = `If it is intended, add to acceptedLosses of ${name} in infra/stages.ts: ${entries}; by hand: --allow ${ids}`;
  // After a deployment that made the change its entry is left over, which must not stop the next deployment.
  const leftOver = acceptedLosses.filter((accepted) => !losses.some(({ entry }) => entry === accepted));
  return {
    lines: [
      ...lines,
      ...losses.map((each) => `  ${each.line}${isAccepted(each) ? ' (accepted)' : ''}`),
      ...(refused.length > 0 ? [advice] : []),
      ...leftOver.map(
        (entry) => `Warning: nothing matches this entry in acceptedLosses; remove it: ${entry}`,
      ),
    ],
    isRefused: refused.length > 0,
  };
}

/**
 * Tells which is newer, the deployed commit or the working copy.
 * @returns notes, and a loss if the working copy lacks what the deployed commit has: it would bring back what that one has repaired
 */
function compareCommits(
  { Resources: { Live } }: Template,
  folder: string,
  { commit: own, problem }: WorkingCopy,
): { notes: string[]; losses: Loss[] } {
  const description = field(Live?.Properties, 'Description') as string | undefined;
  const { commit, isModified } = parseAliasDescription(description);
  if (commit === undefined)
    return { notes: Live ? ['Which commit is deployed is not known.'] : [], losses: [] };
  const isSame = problem !== undefined && commit === own;
  const { ahead, behind } = isSame
    ? { ahead: 0, behind: 0 }
    : (countCommits(folder, commit) ?? { ahead: 0, behind: undefined });
  if (behind !== 0) {
    const line =
      problem !== undefined
        ? `Live: commit ${commit} is deployed, and whether this working copy contains it cannot be known: ${problem}; deploy from a clone with its history`
        : behind && ahead === 0
          ? `Live: this working copy is older than the deployed commit, by ${commits(behind)}: git merge ${commit}`
          : `Live: the deployed commit is not in this working copy: ${mergeCommands(folder, commit)}`;
    return { notes: [], losses: [loss('Live', 'outdated', { commit, behind, problem }, line)] };
  }
  const older = `The deployed commit ${commit.slice(0, 7)} is older than this one by ${commits(ahead)}, which this deployment brings.`;
  const modified = 'It was deployed with changes that were not committed, which this deployment undoes.';
  return { notes: [...(ahead > 0 ? [older] : []), ...(isModified ? [modified] : [])], losses: [] };
}

const commits = (count: number) => (count === 1 ? '1 commit' : `${count} commits`);
