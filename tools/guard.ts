import { stackName } from '../infra/names.ts';
import { isStage, STAGES } from '../infra/stages.ts';
import { PlainError } from '../local/plain-error.ts';
import { EXIT, runCommand, UsageError } from './command-line.ts';
import { deployedStages, deployedTemplate } from './guard/deployed.ts';
import { type KindOf, loadKinds } from './guard/kinds.ts';
import { findLosses, type Loss, precious } from './guard/losses.ts';
import { synthesise } from './guard/synthesise.ts';
import { readTemplate, readTemplates, type Template } from './guard/template.ts';
import { stageNamed } from './stage-option.ts';

await runCommand(
  {
    usage: 'npm run guard -- [--stage NAME] [--app DIR] [--template FILE] [--allow IDS]',
    about: `Compares the deployed templates with the new ones, and lists each table, log group, key, alias and other
resource with data or an address that would be replaced, removed or protected less.`,
    options: {
      stage: {
        value: 'NAME',
        about: 'check this stage (default: every stage of infra/stages.ts, and every deployed one)',
      },
      app: {
        value: 'DIR',
        about: 'use the templates that cdk synth wrote to this folder (default: synthesise now)',
      },
      template: {
        value: 'FILE',
        about: 'use this deployed template, with --stage (default: ask CloudFormation)',
      },
      allow: {
        value: 'IDS',
        about: 'accept the loss of these logical ids, separated by commas; all accepts every loss',
      },
    },
    notes: `Uses the credentials and the Region of the environment, or the stage's own Region if it has one.
Exit codes: 0 if nothing is lost or all losses are accepted, 1 if something is lost or cannot be compared, 2 if the
command is invalid.`,
  },
  async ({ stage, app, template, allow }) => {
    if (template !== undefined && stage === undefined) throw new UsageError('--template needs --stage.');
    const names =
      stage === undefined ? [...new Set([...Object.keys(STAGES), ...(await deployedStages())])] : [stage];
    const kindOf = await loadKinds();
    for (const name of names) await guard(name, { app, template, allowed: allow?.split(',') ?? [], kindOf });
  },
);

interface Choices {
  readonly app: string | undefined;
  readonly template: string | undefined;
  readonly allowed: readonly string[];
  readonly kindOf: KindOf;
}

async function guard(name: string, { app, template, allowed, kindOf }: Choices): Promise<void> {
  const stack = stackName(name);
  const stage = isStage(name) ? stageNamed(name) : undefined;
  const before =
    template === undefined ? await deployedTemplate(stack, stage?.region) : readTemplate(template);
  if (before === undefined) {
    stageNamed(name);
    console.info(`${stack}: no such stack is deployed yet, so there is nothing to lose.`);
    return;
  }
  const losses = findLosses(before, stage ? await templateOf(name, stack, app) : { Resources: {} }, kindOf);
  if (losses.length === 0) {
    console.info(`${stack}: nothing would be lost (${precious(before, kindOf).size} resources checked).`);
    return;
  }
  const reason = stage
    ? 'the new template would lose something.'
    : `infra/stages.ts has no stage ${name} any more, so its resources would be lost.`;
  console.info(`${stack}: ${reason}`);
  report(losses, allowed);
}

/** Prints losses; one that is not allowed makes the command fail. */
function report(losses: readonly Loss[], allowed: readonly string[]): void {
  const isAllowed = ({ id }: Loss) => allowed.includes(id) || allowed.includes('all');
  for (const loss of losses) console.info(`  ${loss.sentence}${isAllowed(loss) ? ' (accepted)' : ''}`);
  const refused = losses.filter((loss) => !isAllowed(loss)).map(({ id }) => id);
  if (refused.length === 0) return;
  console.info(`If it is intended, accept it: --allow ${refused.join(',')}`);
  process.exitCode = EXIT.failed;
}

async function templateOf(stage: string, stack: string, app: string | undefined): Promise<Template> {
  const found = app === undefined ? await synthesise(stage, stack) : readTemplates(app).get(stack);
  if (found === undefined)
    throw new PlainError(`${app} has no template of ${stack}; npm run synth writes it.`);
  return found;
}
