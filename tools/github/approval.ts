import * as z from 'zod';
import { PlainError } from '../../terminal/plain-error.ts';
import { ask, type Run } from './repository.ts';

/** The variable of the repository or of an environment that allows a protected stage to be deployed without an approval. */
export const WITHOUT_APPROVAL = 'DEPLOY_WITHOUT_APPROVAL';

/** GitHub REST API, "Get an environment"; needs `actions: read`. */
const environment = z.object({
  protection_rules: z
    .array(z.object({ type: z.string(), reviewers: z.array(z.unknown()).optional() }))
    .optional(),
});

/**
 * Refuses a protected stage that nobody has to approve. A job whose environment has no required reviewers starts at once,
 * and in a private repository only GitHub Enterprise has them (GitHub, "Deployments and environments").
 * @param isProtected whether the stage must be approved
 * @param exempt the value of {@link WITHOUT_APPROVAL}: the name of the stage that may be deployed without an approval
 * @returns one line that says why the stage may be deployed
 * @throws PlainError if it may not, or GitHub does not say
 */
export async function checkApproval(
  run: Run,
  { name, isProtected }: { readonly name: string; readonly isProtected: boolean },
  exempt: string | undefined,
): Promise<string> {
  if (!isProtected) return `${name} is not protected, so nobody has to approve.`;
  const { protection_rules: rules = [] } = await ask(
    run,
    `/environments/${encodeURIComponent(name)}`,
    environment,
  );
  if (rules.some(({ type, reviewers = [] }) => type === 'required_reviewers' && reviewers.length > 0))
    return `${name} has required reviewers.`;
  if (exempt === name) return `${name} has no required reviewers, which ${WITHOUT_APPROVAL} allows.`;
  throw new PlainError(
    `The environment ${name} has no required reviewers, so nobody had to approve this deployment. Add them, or set the ` +
      `variable ${WITHOUT_APPROVAL} to ${name} if that is wanted (docs/first-deployment.md, step 21).`,
  );
}
