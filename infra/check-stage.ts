import { PlainError } from '../cli/plain-error.ts';
import { AN_ORIGIN, wrongOrigin } from './origins.ts';
import { misplaced } from './place.ts';
import { checkStageName } from './stage-name.ts';
import { type Stage, settings } from './stage-settings.ts';

/** The settings, and what two of them together must be. */
const checked = settings.superRefine((stage, context) => {
  const { isTemplate, isProtected, allowedOrigins, domain } = stage;
  const refuse = (setting: string, message: string) =>
    context.addIssue({ code: 'custom', path: [setting], message });
  if (isTemplate && isProtected) refuse('isTemplate', 'A protected stage cannot be a template');
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
