import { PlainError } from '../cli/plain-error.ts';
import { AN_ORIGIN, wrongOrigin } from './origins.ts';
import { type Stage, settings } from './stage-settings.ts';

/** Valid both in the name of a stack, after "PlantStore-", and in that of an API's stage. */
const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
/** With "PlantStore-", the 32 characters that X-Ray allows for the name of a sampling rule (API reference, SamplingRule). */
const NAME_LENGTH = 21;
/**
 * Reserved: `-c stage=all` means every stage, PlantStore-pipeline is the stack of the deployment pipeline, and an address
 * that ends with /plants is refused by the client and the tools as that of an operation.
 */
const RESERVED = ['all', 'pipeline', 'plants'];
/** GitHub's environments `review-STAGE` need no approval: a stage of such a name would open them the role that deploys. */
const REVIEW = 'review-';

/** What a stage file is told that has the setting of before. */
const NO_START_SCRIPT =
  'Write plain: true in place of startScript: false, and nothing in place of startScript: true';

/** The settings, and what two of them together must be. */
const checked = settings.superRefine((stage, context) => {
  const { account, region, isProtected, allowedOrigins, domain, keyArn, pagerTopicArn } = stage;
  const refuse = (setting: string, message: string) =>
    context.addIssue({ code: 'custom', path: [setting], message });
  if (stage.vpcEndpoints && domain) refuse('domain', 'A private API cannot have a Regional domain');
  // The CDK cannot render such a table without (TableV2, `encryption`).
  if (keyArn && !region) refuse('keyArn', 'It needs the setting region');
  const wrong = allowedOrigins && wrongOrigin(allowedOrigins, isProtected);
  if (wrong !== undefined) refuse('allowedOrigins', `${JSON.stringify(wrong)} must be ${AN_ORIGIN}`);
  // A Regional domain needs a certificate of its own Region (API Gateway Developer Guide, "Migrate a custom domain name").
  const named = { pagerTopicArn, keyArn, 'domain.certificateArn': domain?.certificateArn };
  for (const [setting, arn = ''] of Object.entries(named)) {
    const [, , , ofRegion, ofAccount] = arn.split(':');
    if (region && ofRegion && ofRegion !== region) refuse(setting, `It must be in ${region}`);
    else if (account && ofAccount && ofAccount !== account)
      refuse(setting, `It must belong to account ${account}`);
  }
  const { name, zone } = domain ?? {};
  if (zone && !`.${name}`.endsWith(`.${zone.name}`))
    refuse('domain.name', `It must be in the zone ${zone.name}`);
});

/**
 * Checks a stage.
 * @throws PlainError with one line for an invalid name, or one for each wrong setting: the stage, the setting, and what is
 * wrong with it
 */
export function checkStage({ name, ...others }: Stage): Stage {
  if (!NAME.test(name) || name.length > NAME_LENGTH || RESERVED.includes(name) || name.startsWith(REVIEW))
    throw new PlainError(
      `Stage ${JSON.stringify(name)}: a name has at most ${NAME_LENGTH} lower-case letters, digits and single hyphens, ` +
        `begins with a letter, not with ${REVIEW}, and is not ${RESERVED.join(' or ')}.`,
    );
  const { error, data } = checked.safeParse(others);
  if (data) return { name, ...data };
  const lines = error.issues.map((issue) => {
    const isReplaced = issue.code === 'unrecognized_keys' && issue.keys.includes('startScript');
    const message = isReplaced ? NO_START_SCRIPT : issue.message;
    return [`Stage ${name}`, ...(issue.path.length > 0 ? [issue.path.join('.')] : []), `${message}.`].join(
      ': ',
    );
  });
  throw new PlainError(lines.join('\n'));
}
