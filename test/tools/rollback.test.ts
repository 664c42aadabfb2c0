import { describe, expect, test } from 'vitest';
import { type Answer, type Answers, startAws } from '../support/aws-stand-in.ts';
import { hasTerminal, runInTerminal, runTool } from './run-tool.ts';

const error = (code: string, message: string, status?: number): Answer => ({
  error: { code, message, status },
});

/** A version as ListVersionsByFunction shows it. */
const version = (Version: string, day: string, tables = 'Plants', Role = 'role') => ({
  Version,
  LastModified: `2026-11-${day}T14:02:33.123+0000`,
  CodeSha256: `hash${Version}abcdefghijk=`,
  Description: 'Plant Store prod: POST /plants',
  Role,
  Environment: { Variables: { PLANTS_TABLE: tables, ACCESS_TOKENS_TABLE: 'Tokens', OTHER: Version } },
});
const resource = (ResourceType: string, PhysicalResourceId: string) => ({
  LogicalResourceId: 'Any',
  ResourceType,
  PhysicalResourceId,
});
const stack = (StackStatus: string): Answer => ({
  is: { Stacks: [{ StackName: 'PlantStore-prod', StackStatus }] },
});
const alias = (FunctionVersion: string, AdditionalVersionWeights?: Record<string, number>): Answer => ({
  is: { Name: 'live', FunctionVersion, RevisionId: 'r1', RoutingConfig: { AdditionalVersionWeights } },
});
const versions = (...Versions: ReturnType<typeof version>[]): Answer => ({ is: { Versions } });

/** Stage prod with versions 5, 6 and 10, and the alias at 10. Lambda lists them on two pages. */
const DEPLOYED: Answers = {
  DescribeStacks: stack('UPDATE_COMPLETE'),
  ListStackResources: {
    is: {
      StackResourceSummaries: [
        resource('AWS::Lambda::Function', 'PlantStore-prod-Function'),
        resource('AWS::CodeDeploy::Application', 'App'),
        resource('AWS::CodeDeploy::DeploymentGroup', 'Group'),
      ],
    },
  },
  ListDeployments: { is: { deployments: [] } },
  GetAlias: alias('10'),
  ListVersionsByFunction: ({ Marker }) => ({
    is: Marker
      ? { Versions: [version('5', '01'), version('6', '13')] }
      : { Versions: [version('$LATEST', '20'), version('10', '20')], NextMarker: 'more' },
  }),
  UpdateAlias: { is: {} },
};

async function rollback(changed: Answers, ...words: string[]) {
  const aws = await startAws({ ...DEPLOYED, ...changed });
  const ended = await runTool('rollback', ['--stage', 'prod', ...words], { env: aws.env });
  aws.close();
  const moves = aws.calls.filter(({ operation }) => operation === 'UpdateAlias').map(({ input }) => input);
  return { ...ended, moves, calls: aws.calls };
}

const move = (FunctionVersion: string) => ({
  FunctionName: 'PlantStore-prod-Function',
  Name: 'live',
  FunctionVersion,
  RoutingConfig: { AdditionalVersionWeights: {} },
  RevisionId: 'r1',
});
const FROM = 'from  version 10  2026-11-20 14:02 UTC  code hash10ab  Plant Store prod: POST /plants';

describe('npm run rollback', () => {
  test('it says what it does, points the alias at the version before, and says how to go forward', async () => {
    const { moves, calls, ...ended } = await rollback({}, '--yes');
    expect(ended).toMatchObject({
      code: 0,
      out: `Stage prod, alias live of PlantStore-prod-Function, for all requests:
${FROM}
to    version 6   2026-11-13 14:02 UTC  code hash6abc  Plant Store prod: POST /plants
All new requests go to version 6. To return to version 10:
  npm run rollback -- --stage prod --to 10
CloudFormation does not know of this change: before the next deployment, read docs/runbook.md#roll-back-a-deployment.
`,
      err: '',
    });
    expect(moves).toEqual([move('6')]);
    expect(calls.find(({ operation }) => operation === 'ListDeployments')?.input).toEqual({
      applicationName: 'App',
      deploymentGroupName: 'Group',
      includeOnlyStatuses: ['Created', 'Queued', 'InProgress', 'Baking', 'Ready'],
    });
  });

  test.each<[string, Answers, string[], string, string]>([
    ['an older version', {}, ['--to', '5'], FROM, '5'],
    ['forward again', { GetAlias: alias('6') }, ['--to', '10'], 'from  version 6 ', '10'],
    [
      'the rest of a canary that was stopped half-way',
      { GetAlias: alias('6', { 10: 0.1 }) },
      [],
      '  10 %  version 10',
      '6',
    ],
    [
      'from a version that is gone',
      { GetAlias: alias('7') },
      [],
      'All new requests go to version 6. Version 7 no longer exists.',
      '6',
    ],
  ])('%s', async (_, changed, words, line, target) => {
    const { code, out, moves } = await rollback(changed, ...words, '--yes');
    expect(out).toContain(line);
    expect({ code, moves }).toEqual({ code: 0, moves: [move(target)] });
  });

  const earlier = 'Deploy the earlier commit: docs/runbook.md#roll-back-a-deployment';
  test.each<[string, Answers, string[], string]>([
    [
      'a canary under way',
      { ListDeployments: { is: { deployments: ['d-1'] } }, DescribeStacks: stack('UPDATE_IN_PROGRESS') },
      [],
      'Nothing was changed: CodeDeploy is moving the alias. To stop it and roll back: aws deploy stop-deployment --auto-rollback-enabled --deployment-id d-1',
    ],
    [
      'a deployment before its canary',
      { DescribeStacks: stack('UPDATE_IN_PROGRESS') },
      [],
      'Nothing was changed: the stack is UPDATE_IN_PROGRESS; wait until it has ended, or: aws cloudformation cancel-update-stack --stack-name PlantStore-prod',
    ],
    [
      'a deployment that is being undone',
      { DescribeStacks: stack('UPDATE_ROLLBACK_IN_PROGRESS') },
      [],
      'Nothing was changed: the stack is UPDATE_ROLLBACK_IN_PROGRESS; wait until it has ended',
    ],
    [
      'no earlier version',
      { ListVersionsByFunction: versions(version('$LATEST', '20'), version('10', '20')) },
      [],
      `There is no earlier version, only 10. ${earlier}`,
    ],
    ['a version that is not there', {}, ['--to', '7'], `There is no version 7, only 5, 6, 10. ${earlier}`],
    ['the version that is live', {}, ['--to', '10'], 'All requests go to version 10 already.'],
    [
      'a version of other tables',
      { ListVersionsByFunction: versions(version('6', '13', 'Plants-old'), version('10', '20')) },
      [],
      `Version 6 uses Plants-old, which the current version does not. ${earlier}`,
    ],
    [
      'a version of another role',
      { ListVersionsByFunction: versions(version('6', '13', 'Plants', 'gone'), version('10', '20')) },
      [],
      `Version 6 uses gone, which the current version does not. ${earlier}`,
    ],
    [
      'a stage that is not deployed',
      { DescribeStacks: error('ValidationError', 'Stack with id PlantStore-prod does not exist') },
      [],
      'The stack PlantStore-prod does not exist in this account and Region.',
    ],
    [
      'no permission to ask CodeDeploy',
      { ListDeployments: error('AccessDeniedException', 'no codedeploy:ListDeployments') },
      [],
      'Nothing was changed: AccessDeniedException: no codedeploy:ListDeployments',
    ],
    [
      'throttled',
      { ListVersionsByFunction: error('TooManyRequestsException', 'Rate exceeded', 429) },
      [],
      'Nothing was changed: TooManyRequestsException: Rate exceeded',
    ],
  ])('%s: it changes nothing, and says why in one line', async (_, changed, words, line) => {
    const { code, err, moves } = await rollback(changed, ...words, '--yes');
    expect({ code, err, moves }).toEqual({ code: 1, err: `${line}\n`, moves: [] });
  });

  test('an alias that somebody else has moved in between is not moved', async () => {
    const { code, err } = await rollback(
      { UpdateAlias: error('PreconditionFailedException', 'The Revision Id does not match', 412) },
      '--yes',
    );
    expect({ code, err }).toEqual({
      code: 1,
      err: 'Nothing was changed: PreconditionFailedException: The Revision Id does not match\n',
    });
  });

  test.each([
    [['--yes'], 'Name the stage: --stage NAME.\n'],
    [['--stage', 'prod'], 'There is no terminal to ask on; add --yes.\n'],
    [['--stage', 'prod', '--to', 'six', '--yes'], expect.stringMatching(/^--to must be a whole number/)],
  ])('%j is not a command: one line, and exit code 2', async (words, err) => {
    expect(await runTool('rollback', words)).toMatchObject({ code: 2, out: '', err });
  });
});

describe.skipIf(!hasTerminal)('npm run rollback in a terminal', () => {
  test.each([
    ['y', 'y\r', 0, ['6']],
    ['no', 'no\r', 1, []],
    ['Enter', '\r', 1, []],
    ['Ctrl-C', '\u0003', 1, []],
    ['Ctrl-D', '\u0004', 1, []],
  ])('it asks; the answer %s', async (_, type, code, moved) => {
    const aws = await startAws(DEPLOYED);
    const question = 'Roll back? [y/N] ';
    const seen = await runInTerminal('rollback', ['--stage', 'prod'], {
      env: aws.env,
      stopAt: question,
      type,
    });
    aws.close();
    const moves = aws.calls.filter(({ operation }) => operation === 'UpdateAlias');
    expect(moves.map(({ input }) => input.FunctionVersion)).toEqual(moved);
    expect(seen.output).toContain(
      moved.length > 0 ? 'All new requests go to version 6.' : 'Nothing was changed.',
    );
    expect(seen.output).not.toContain('    at ');
    expect(seen.code).toBe(code);
  });
});
