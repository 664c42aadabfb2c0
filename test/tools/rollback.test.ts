import { describe, expect, test } from 'vitest';
import { planRollback, pointAlias } from '../../tools/rollback/plan.ts';
import { type Answers, error, is, PROD, stack, startAws, withAws } from '../support/aws-stand-in.ts';
import { expectRefusal, hasTerminal, runInTerminal, runWithAws } from './run-tool.ts';

/** A version as ListVersionsByFunction shows it. */
const version = (Version: string, day: string, tables = 'Plants', Role = 'role') => ({
  Version,
  LastModified: `2026-11-${day}T14:02:33.123+0000`,
  CodeSha256: `hash${Version}abcdefghijk=`,
  Description: 'Plant Store prod: POST /plants',
  Role,
  Environment: { Variables: { PLANTS_TABLE: tables, ACCESS_TOKENS_TABLE: 'Tokens', OTHER: Version } },
});
const resource = (type: string, PhysicalResourceId: string) => ({
  LogicalResourceId: 'Any',
  ResourceType: `AWS::${type}`,
  PhysicalResourceId,
});
const alias = (FunctionVersion: string, AdditionalVersionWeights?: Record<string, number>): Answers => {
  const RoutingConfig = { AdditionalVersionWeights };
  return { GetAlias: is({ Name: 'live', FunctionVersion, RevisionId: 'r1', RoutingConfig }) };
};
const versions = (...Versions: ReturnType<typeof version>[]): Answers => ({
  ListVersionsByFunction: is({ Versions: [version('$LATEST', '20'), ...Versions] }),
});

/** Stage prod with versions 5, 6 and 10, and the alias at 10. Lambda lists them on two pages. */
const DEPLOYED: Answers = {
  ...stack('UPDATE_COMPLETE'),
  ListStackResources: is({
    StackResourceSummaries: [
      resource('Lambda::Function', 'PlantStore-prod-Function'),
      resource('CodeDeploy::Application', 'App'),
      // CloudFormation may put the application in front of the name of the group.
      resource('CodeDeploy::DeploymentGroup', 'App|Group'),
    ],
  }),
  ListDeployments: is({ deployments: [] }),
  ...alias('10'),
  ListVersionsByFunction: ({ Marker }) =>
    is(
      Marker
        ? { Versions: [version('5', '01'), version('6', '13')] }
        : { Versions: [version('$LATEST', '20'), version('10', '20')], NextMarker: 'more' },
    ),
  UpdateAlias: is({}),
};
const WORDS = ['--stage', 'prod', '--yes'];

describe('npm run rollback', () => {
  test('shows what it does, points the alias at the previous version, and prints the way back', async () => {
    const answers = { ...DEPLOYED, ...alias('10', { 5: 0.1 }) };
    const { code, out, err, inputs } = await runWithAws('rollback', WORDS, answers);
    expect({ code, out, err }).toEqual({
      code: 0,
      out: `Stage prod, alias live of PlantStore-prod-Function, for all requests:
from    version 10  2026-11-20 14:02 UTC  code hash10ab  Plant Store prod: POST /plants
  10 %  version 5   2026-11-01 14:02 UTC  code hash5abc  Plant Store prod: POST /plants
to      version 6   2026-11-13 14:02 UTC  code hash6abc  Plant Store prod: POST /plants
All new requests go to version 6. To return to version 10:
  npm run rollback -- --stage prod --to 10
CloudFormation does not know of this change: before the next deployment, read docs/runbook-procedures.md#roll-back-a-deployment.
`,
      err: '',
    });
    expect(inputs('UpdateAlias')).toEqual([
      {
        FunctionName: 'PlantStore-prod-Function',
        Name: 'live',
        FunctionVersion: '6',
        RoutingConfig: { AdditionalVersionWeights: {} },
        RevisionId: 'r1',
      },
    ]);
    expect(inputs('ListDeployments')).toEqual([
      {
        applicationName: 'App',
        deploymentGroupName: 'Group',
        includeOnlyStatuses: ['Created', 'Queued', 'InProgress', 'Baking', 'Ready'],
      },
    ]);
  });

  test('refuses in one line, with exit code 1, and moves nothing', async () => {
    const answers = { ...DEPLOYED, ListDeployments: is({ deployments: ['d-1'] }) };
    const { code, out, err, inputs } = await runWithAws('rollback', WORDS, answers);
    expect({ code, out, err }).toEqual({
      code: 1,
      out: '',
      err: 'Nothing was changed: CodeDeploy is moving the alias. To stop it and roll back: aws deploy stop-deployment --auto-rollback-enabled --deployment-id d-1\n',
    });
    expect(inputs('UpdateAlias')).toEqual([]);
  });

  test.each<[string, Answers, string | undefined, string]>([
    ['the previous version', {}, undefined, '6'],
    ['an older version', {}, '5', '5'],
    ['a newer version', alias('6'), '10', '10'],
    ['the version before a canary that was stopped half-way', alias('6', { 10: 0.1 }), undefined, '6'],
    ['a version before one that no longer exists', alias('7'), undefined, '6'],
  ])('can return to %s', async (_, changed, to, target) => {
    const plan = await withAws({ ...DEPLOYED, ...changed }, () => planRollback(PROD, to));
    expect(plan.target.Version).toBe(target);
  });

  const earlier = 'Deploy the earlier commit: docs/runbook-procedures.md#roll-back-a-deployment';
  const wait = 'IN_PROGRESS; wait until it has ended';
  const cancel = 'aws cloudformation cancel-update-stack --stack-name PlantStore-prod';
  const denied = error('AccessDeniedException', 'no codedeploy:ListDeployments');
  test.each<[message: string, changed: Answers, to?: string]>([
    [`Nothing was changed: the stack is UPDATE_${wait}, or: ${cancel}`, stack('UPDATE_IN_PROGRESS')],
    [`Nothing was changed: the stack is UPDATE_ROLLBACK_${wait}`, stack('UPDATE_ROLLBACK_IN_PROGRESS')],
    [`There is no earlier version, only 10. ${earlier}`, versions(version('10', '20'))],
    [`There is no version 7, only 5, 6, 10. ${earlier}`, {}, '7'],
    ['All requests go to version 10 already.', {}, '10'],
    [
      `Version 6 uses Plants-old, which the current version does not. ${earlier}`,
      versions(version('6', '13', 'Plants-old'), version('10', '20')),
    ],
    [
      `Version 6 uses gone, which the current version does not. ${earlier}`,
      versions(version('6', '13', 'Plants', 'gone'), version('10', '20')),
    ],
    [
      'Nothing was changed: AccessDeniedException: no codedeploy:ListDeployments',
      { ListDeployments: denied },
    ],
    [
      'Nothing was changed: TooManyRequestsException: Rate exceeded',
      { ListVersionsByFunction: error('TooManyRequestsException', 'Rate exceeded', 429) },
    ],
  ])('refuses: %s', async (message, changed, to) => {
    const plan = withAws({ ...DEPLOYED, ...changed }, () => planRollback(PROD, to));
    await expect(plan).rejects.toMatchObject({ name: 'PlainError', message });
  });

  test('does not move an alias that somebody else has moved in the meantime', async () => {
    const UpdateAlias = error('PreconditionFailedException', 'The Revision Id does not match', 412);
    const moved = withAws({ ...DEPLOYED, UpdateAlias }, async () => pointAlias(await planRollback(PROD)));
    await expect(moved).rejects.toThrow(
      'Nothing was changed: PreconditionFailedException: The Revision Id does not match',
    );
  });

  test.each([
    [['--stage', 'prod'], 'There is no terminal to ask on; add --yes.'],
    [[...WORDS, '--to', '0'], '--to must be a version number, such as 12.'],
  ])('with %j ends with exit code 2', (words, message) =>
    expectRefusal('rollback', words, { code: 2, message }),
  );
});

describe.skipIf(!hasTerminal)('npm run rollback in a terminal asks for confirmation', () => {
  test.each<[answer: string, type: string, code: number, moved: string[], last: string]>([
    ['y', 'y\r', 0, ['6'], 'All new requests go to version 6. Version 7 no longer exists.'],
    ['no', 'no\r', 1, [], 'Nothing was changed.'],
    ['Ctrl-C', '\u0003', 1, [], 'Nothing was changed.'],
    ['Ctrl-D', '\u0004', 1, [], 'Nothing was changed.'],
  ])('the answer is %s', async (_, type, code, moved, last) => {
    const aws = await startAws({ ...DEPLOYED, ...alias('7') });
    const options = { env: aws.env, stopAt: 'Roll back? [y/N] ', type };
    const seen = await runInTerminal('rollback', ['--stage', 'prod'], options);
    aws.close();
    expect(aws.inputs('UpdateAlias').map(({ FunctionVersion }) => FunctionVersion)).toEqual(moved);
    expect(seen.output).toMatch(/from {2}version 7 {2}no longer there +code \?/);
    expect(seen.output).toContain(last);
    expect(seen.output).not.toContain('    at ');
    expect(seen.code).toBe(code);
  });
});
