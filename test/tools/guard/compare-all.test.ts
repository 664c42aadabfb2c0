import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { StageSettings } from '../../../infra/stage-settings.ts';
import { compareAll } from '../../../tools/guard/compare-all.ts';
import { compareStage, type StageComparison } from '../../../tools/guard/compare-stage.ts';
import { type Answers, error, is, noStack, PROD, withAws } from '../../support/aws-stand-in.ts';
import { temporaryFolder } from '../../support/local-process.ts';

const TEMPLATE = JSON.stringify({ Resources: { PlantsF7D2F15D: { Type: 'AWS::DynamoDB::GlobalTable' } } });
const { name: _, ...SETTINGS } = PROD;
/** The credentials are for this account, and the Region of the environment is eu-west-1. */
const ACCOUNT = '111122223333';
const CALLER: Answers = { GetCallerIdentity: is({ Account: ACCOUNT, Arn: 'arn:aws:iam::1:role/review' }) };
const denied = error('AccessDenied', 'not authorized to perform: cloudformation:GetTemplate');

/** What the comparison of all stages prints and refuses, and the stacks whose templates it reads. */
async function compared(
  stage: Partial<StageSettings>,
  stacks: readonly string[],
  template: Answers[string] = is({ TemplateBody: TEMPLATE }),
) {
  const app = temporaryFolder();
  await writeFile(path.join(app, 'PlantStore-one.template.json'), TEMPLATE);
  const StackSummaries = stacks.map((StackName) => ({ StackName, StackStatus: 'UPDATE_COMPLETE' }));
  const answers = { ...CALLER, ListStacks: is({ StackSummaries }), GetTemplate: template };
  return withAws(answers, async (calls) => {
    const all: StageComparison[] = [];
    for await (const each of compareAll({ app }, { one: { ...SETTINGS, ...stage } })) all.push(each);
    const read = calls
      .filter(({ operation }) => operation === 'GetTemplate')
      .map(({ input }) => input.StackName);
    return { lines: all.flatMap(({ lines }) => lines), isRefused: all.some((each) => each.isRefused), read };
  });
}

const HERE = ['PlantStore-one'];
const BOTH = ['PlantStore-one', 'PlantStore-gone'];
const UNCHANGED = 'PlantStore-one: nothing would be lost (1 resources checked).';
const NEW = 'PlantStore-one: no such stack is deployed yet, so there is nothing to lose.';
const LOST = [
  'PlantStore-one: infra/stages.ts has no stage one here any more, so its resources would be lost.',
  '  The table PlantsF7D2F15D would be removed from the stack and deleted.',
  'If it is intended, delete PlantStore-one before its entry in infra/stages.ts; by hand: --allow PlantsF7D2F15D',
];
const GONE = LOST.map((line) => line.replaceAll('one', 'gone'));
const acceptedLosses = ['The topic Topic…'];
const LEFT_OVER = 'Nothing matches this entry in acceptedLosses of one; remove it: The topic Topic…';
const elsewhere = (place: string) => `PlantStore-one: belongs to ${place}, so it is not compared.`;
const OTHER_ACCOUNT = 'account 444455556666, but the credentials are for account 111122223333';
const OTHER_REGION = 'Region eu-central-1, but the Region of the environment is eu-west-1';

type Settings = Partial<StageSettings>;
describe('npm run guard for all stages', () => {
  test.each<[string, Settings, stacks: string[], lines: string[], read: string[], isRefused?: boolean]>([
    ['compares a deployed stage', {}, HERE, [UNCHANGED], HERE],
    [
      'compares one that is bound to this account and Region',
      { account: ACCOUNT, region: 'eu-west-1' },
      HERE,
      [UNCHANGED],
      HERE,
    ],
    ['knows without its template that a stage is new, such as one of a pull request', {}, [], [NEW], []],
    ['skips a stage of another account', { account: '444455556666' }, [], [elsewhere(OTHER_ACCOUNT)], []],
    ['skips a stage of another Region', { region: 'eu-central-1' }, [], [elsewhere(OTHER_REGION)], []],
    [
      'refuses to leave a stack behind when its stage moves',
      { region: 'eu-central-1' },
      HERE,
      LOST,
      HERE,
      true,
    ],
    ['refuses to lose a deployed stage without an entry', {}, BOTH, [UNCHANGED, ...GONE], BOTH, true],
    [
      'refuses an accepted loss that matches nothing',
      { acceptedLosses },
      HERE,
      [UNCHANGED, LEFT_OVER],
      HERE,
      true,
    ],
    ['refuses one of a stage that is not deployed', { acceptedLosses }, [], [NEW, LEFT_OVER], [], true],
    [
      'skips the stage of a colleague, who deploys it from another working copy',
      { isProtected: false, isTemplate: true },
      [...HERE, 'PlantStore-one-anna'],
      [UNCHANGED, "PlantStore-one-anna: a developer's own stage is compared only with --stage one-anna."],
      HERE,
    ],
  ])('%s', async (_, stage, stacks, lines, read, isRefused = false) => {
    expect(await compared(stage, stacks)).toEqual({ lines, read, isRefused });
  });

  test('finds nothing to lose in a stack without an entry that was only previewed', async () => {
    expect(await compared({}, ['PlantStore-gone'], is({ TemplateBody: '' }))).toMatchObject({
      lines: [NEW, NEW.replace('one', 'gone')],
      isRefused: false,
    });
  });

  test('fails if a template that it needs cannot be read', async () => {
    await expect(compared({}, HERE, denied)).rejects.toThrow('PlantStore-one cannot be read: AccessDenied');
  });
});

// In the wrong account there is no such stack, which is no proof that nothing would be lost.
test('npm run guard --stage refuses credentials for another account than the stage', async () => {
  const stages = { one: { ...SETTINGS, account: '444455556666' } };
  const comparison = withAws({ ...CALLER, GetTemplate: noStack() }, () => compareStage('one', {}, stages));
  await expect(comparison).rejects.toThrow(
    'Stage one belongs to account 444455556666, but the credentials are for account 111122223333.',
  );
});
