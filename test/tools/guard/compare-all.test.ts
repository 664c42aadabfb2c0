import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { StageSettings } from '../../../infra/stage-settings.ts';
import { compareAll } from '../../../tools/guard/compare-all.ts';
import { compareStage, type StageComparison } from '../../../tools/guard/compare-stage.ts';
import { UNPROTECTED } from '../../infra/synth.ts';
import { type Answers, error, is, withAws } from '../../support/aws-stand-in.ts';
import { temporaryFolder } from '../../support/local-process.ts';

const TEMPLATE = JSON.stringify({ Resources: { PlantsF7D2F15D: { Type: 'AWS::DynamoDB::GlobalTable' } } });
const { name: _, ...SETTINGS } = UNPROTECTED;
/** The credentials are for this account, and the Region of the environment is eu-west-1. */
const ACCOUNT = '111122223333';
const CALLER: Answers = { GetCallerIdentity: is({ Account: ACCOUNT, Arn: 'arn:aws:iam::1:role/review' }) };
const missing = error('ValidationError', 'Stack with id PlantStore-x does not exist');
const denied = error('AccessDenied', 'not authorized to perform: cloudformation:GetTemplate');

/** What the comparison of all stages prints and refuses, and the stacks whose templates it reads. */
async function compared(
  stage: Partial<StageSettings>,
  deployed: Readonly<Record<string, string>>,
  template: Answers[string] = is({ TemplateBody: TEMPLATE }),
) {
  const app = temporaryFolder();
  await writeFile(path.join(app, 'PlantStore-one.template.json'), TEMPLATE);
  const StackSummaries = Object.entries(deployed).map(([StackName, StackStatus]) => ({
    StackName,
    StackStatus,
  }));
  const answers = { ...CALLER, ListStacks: is({ StackSummaries }), GetTemplate: template };
  return withAws(answers, async (calls) => {
    const all: StageComparison[] = [];
    for await (const each of compareAll({ app }, { one: { ...SETTINGS, ...stage } })) all.push(each);
    const read = calls
      .filter(({ operation }) => operation === 'GetTemplate')
      .map(({ input }) => input.StackName);
    const [lines, refused, unmatched] = (['lines', 'refused', 'unmatched'] as const).map((name) =>
      all.flatMap((each) => each[name]),
    );
    return { lines, refused, unmatched, read };
  });
}

const HERE = { 'PlantStore-one': 'UPDATE_COMPLETE' };
const UNCHANGED = 'PlantStore-one: nothing would be lost (1 resources checked).';
const NEW = 'PlantStore-one: no such stack is deployed yet, so there is nothing to lose.';
const LOST = [
  'PlantStore-one: infra/stages.ts has no stage one here any more, so its resources would be lost.',
  '  The table PlantsF7D2F15D would be removed from the stack and deleted.',
  'If it is intended, delete PlantStore-one before its entry in infra/stages.ts; by hand: --allow PlantsF7D2F15D',
];
const elsewhere = (place: string) => `PlantStore-one: belongs to ${place}, so it is not compared.`;

describe('npm run guard for all stages', () => {
  test.each<[string, Partial<StageSettings>, Readonly<Record<string, string>>, string[], refused?: string[]]>(
    [
      ['compares a deployed stage', {}, HERE, [UNCHANGED]],
      [
        'compares one that is bound to this account and Region',
        { account: ACCOUNT, region: 'eu-west-1' },
        HERE,
        [UNCHANGED],
      ],
      ['knows without its template that a stage is new, such as one that a pull request adds', {}, {}, [NEW]],
      [
        'skips a stage of another account',
        { account: '444455556666' },
        {},
        [elsewhere('account 444455556666, but the credentials are for account 111122223333')],
      ],
      [
        'skips a stage of another Region',
        { region: 'eu-central-1' },
        {},
        [elsewhere('Region eu-central-1, but the Region of the environment is eu-west-1')],
      ],
      [
        'refuses to leave a stack behind when its stage moves',
        { region: 'eu-central-1' },
        HERE,
        LOST,
        ['PlantsF7D2F15D'],
      ],
      [
        'skips the stage of a colleague, who deploys it from another working copy',
        { isTemplate: true },
        { ...HERE, 'PlantStore-one-anna': 'CREATE_COMPLETE' },
        [UNCHANGED, "PlantStore-one-anna: a developer's own stage is compared only with --stage one-anna."],
      ],
    ],
  )('%s', async (_, stage, deployed, lines, refused = []) => {
    const found = await compared(stage, deployed);
    expect(found).toMatchObject({ lines, refused });
    expect(found.read).toEqual(
      lines.some((line) => [UNCHANGED, ...LOST].includes(line)) ? ['PlantStore-one'] : [],
    );
  });

  test('names the accepted losses of a stage that is not deployed, because nothing matches them', async () => {
    const { unmatched } = await compared({ acceptedLosses: ['The table Herbs would…'] }, {});
    expect(unmatched).toEqual(['The table Herbs would…']);
  });

  test('reports the resources of a deployed stage without an entry', async () => {
    const { lines, refused } = await compared({}, { ...HERE, 'PlantStore-gone': 'CREATE_COMPLETE' });
    expect(lines).toEqual([UNCHANGED, ...LOST.map((line) => line.replaceAll('one', 'gone'))]);
    expect(refused).toEqual(['PlantsF7D2F15D']);
  });

  test('finds nothing to lose in a stack without an entry that was only previewed', async () => {
    const { lines, refused } = await compared(
      {},
      { 'PlantStore-gone': 'REVIEW_IN_PROGRESS' },
      is({ TemplateBody: '' }),
    );
    expect({ lines, refused }).toEqual({ lines: [NEW, NEW.replace('one', 'gone')], refused: [] });
  });

  test('fails if a template that it needs cannot be read', async () => {
    await expect(compared({}, HERE, denied)).rejects.toThrow('PlantStore-one cannot be read: AccessDenied');
  });
});

// In the wrong account there is no such stack, which is no proof that nothing would be lost.
test('npm run guard --stage refuses credentials for another account than the stage', async () => {
  const stages = { one: { ...SETTINGS, account: '444455556666' } };
  const comparison = withAws({ ...CALLER, GetTemplate: missing }, () => compareStage('one', {}, stages));
  await expect(comparison).rejects.toThrow(
    'Stage one belongs to account 444455556666, but the credentials are for account 111122223333.',
  );
});
