import { PlainError } from '../cli/plain-error.ts';
import { AN_ORIGIN, wrongOrigin } from './origins.ts';
import { checkStageName } from './stage-name.ts';
import { type Stage, type StageSettings, settings } from './stage-settings.ts';

/** The settings, and what two of them together must be. */
const checked = settings.superRefine((stage, context) => {
  const { isProtected, allowedOrigins, domain } = stage;
  const refuse = (setting: string, message: string) =>
    context.addIssue({ code: 'custom', path: [setting], message });
  if (stage.vpcEndpoints && domain) refuse('domain', 'A private API cannot have a Regional domain');
  // The CDK cannot render such a table without (TableV2, `encryption`).
  if (stage.keyArn && !stage.region) refuse('keyArn', 'It needs the setting region');
  const wrong = allowedOrigins && wrongOrigin(allowedOrigins, isProtected);
  if (wrong !== undefined) refuse('allowedOrigins', `${JSON.stringify(wrong)} must be ${AN_ORIGIN}`);
  for (const elsewhere of misplaced(stage)) refuse(...elsewhere);
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
  checkStageName(name);
  const { error, data } = checked.safeParse(others);
  if (data) return { name, ...data };
  const lines = error.issues.map(({ path, message }) =>
    [`Stage ${name}`, ...(path.length > 0 ? [path.join('.')] : []), `${message}.`].join(': '),
  );
  throw new PlainError(lines.join('\n'));
}

/**
 * The settings that name something elsewhere than the stack, each with what is wrong; those of which that is not known pass. A
 * Regional domain needs a certificate of its own Region (API Gateway Developer Guide, "Migrate a custom domain name").
 */
function misplaced({ account, region, pagerTopicArn, keyArn, domain }: StageSettings): [string, string][] {
  const named = { pagerTopicArn, keyArn, 'domain.certificateArn': domain?.certificateArn };
  return Object.entries(named).flatMap(([setting, arn = '']): [string, string][] => {
    const [, , , ofRegion, ofAccount] = arn.split(':');
    if (ofRegion && region && ofRegion !== region) return [[setting, `It must be in ${region}`]];
    if (ofAccount && account && ofAccount !== account)
      return [[setting, `It must belong to account ${account}`]];
    return [];
  });
}
