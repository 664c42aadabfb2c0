import { describe, expect, test } from 'vitest';
import {
  error,
  type Fields,
  is,
  PROD,
  type Reply,
  type Responses,
  raw,
  stack,
  startAws,
  withAws,
} from '../../test/support/aws-stand-in.ts';
import {
  aliases,
  DEPLOYED,
  deployed,
  keptAliases,
  live,
  mark,
  version,
  versions,
} from '../../test/support/deployed-function.ts';
import { startCommand } from '../../test/support/local-process.ts';
import { expectRefusal, hasTerminal, runInTerminal, runWithAws } from '../../test/support/run-command.ts';
import { chooseTarget } from './choose-target.ts';
import { readLiveFunction } from './live-function.ts';
import { pointAlias } from './point-alias.ts';

const WORDS = ['--stage', 'prod', '--yes'];
/** The alias at version 6, and a tenth of the requests at version 10, as CodeDeploy leaves it when a canary is stopped. */
const STOPPED = live('6', { RoutingConfig: { AdditionalVersionWeights: { 10: 0.1 } } });
/** What a rollback that could not write its mark has left. */
const LEFT_6 = 'commit not known, rolled back from version 6';

async function plan(to?: string) {
  const found = await readLiveFunction(PROD);
  return { live: found, target: chooseTarget(found, to) };
}

describe('npm run rollback', () => {
  test('lists the versions, points the alias at the one before a stopped canary, and prints the way back to the other', async () => {
    const events = [
      deployed('10', `commit ${'a'.repeat(40)}`),
      deployed('6', `commit ${'b'.repeat(40)}, modified`),
    ];
    const responses = {
      ...DEPLOYED,
      ...aliases(STOPPED, mark('5')),
      DescribeStackEvents: is({ StackEvents: events }),
    };
    const { code, out, err, inputs } = await runWithAws('rollback', WORDS, responses);
    expect({ code, out, err }).toEqual({
      code: 0,
      out: `Stage prod, alias live of PlantStore-prod-Function:
version  published             commit                  memory   code
10       2026-11-20 14:02 UTC  aaaaaaaaaaaa            1024 MB  hash10ab  10 %
6        2026-11-13 14:02 UTC  bbbbbbbbbbbb, modified  1024 MB  hash6abc  live
5        2026-11-01 14:02 UTC  not known               1024 MB  hash5abc  rolled back
All requests will go to version 6.
All new requests go to version 6. To return to version 10:
  npm run rollback -- --stage prod --to 10
The next deployment must revert the faulty commit, with -c canary=off; another one may move the alias back: docs/deploy.md#after-a-rollback
Version 10 is marked as rolled back: no later rollback proposes it.
`,
      err: '',
    });
    expect(inputs('UpdateAlias')).toEqual([
      {
        FunctionName: 'PlantStore-prod-Function',
        Name: 'live',
        FunctionVersion: '6',
        Description: 'commit not known',
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

  test.each<[string, chosen: string, Responses]>([
    ['to which an alias that is no mark points', '6', aliases(live('10'), { ...mark('6'), Name: 'a' })],
    ['but not one that the description names', '5', aliases(live('10', { Description: LEFT_6 }))],
  ])('returns to an earlier version, %s', async (_, chosen, changed) => {
    const { target } = await withAws({ ...DEPLOYED, ...changed }, () => plan());
    expect(target.Version).toBe(chosen);
  });

  const earlier = 'Revert the faulty commit and deploy: docs/deploy.md#roll-back-a-deployment';
  const wait = 'IN_PROGRESS; wait until it has ended';
  const cancel = 'aws cloudformation cancel-update-stack --stack-name PlantStore-prod';
  const noAlias = 'Nothing was changed: Lambda does not show the alias live with its version and revision.';
  const uses = (what: string) => `Version 6 uses ${what}, which the current version does not. ${earlier}`;
  const variablesOf = (number: string) =>
    `Lambda does not show the variables of version ${number}, so its tables are not known (AccessDeniedException: no key). ${earlier}`;
  /** What Lambda shows in place of the variables if it cannot decrypt them. */
  const HIDDEN = { Error: { ErrorCode: 'AccessDeniedException', Message: 'no key' } };
  const hidden = (number: string) => ({ ...version(number, '20'), Environment: HIDDEN });
  const denied = error('AccessDeniedException', 'no', 403);
  test.each<[message: string, changed: Responses, to?: string]>([
    [`Nothing was changed: the stack is UPDATE_${wait}, or: ${cancel}`, stack('UPDATE_IN_PROGRESS')],
    [`Nothing was changed: the stack is UPDATE_ROLLBACK_${wait}`, stack('UPDATE_ROLLBACK_IN_PROGRESS')],
    [`There is no earlier version, only 10. ${earlier}`, versions(version('10', '20'))],
    [`There is no version 7, only 5, 6, 10. ${earlier}`, {}, '7'],
    ['All requests go to version 10 already.', {}, '10'],
    [
      `Rollbacks left every version before 10: 5, 6. To return to one of them nevertheless, name it with --to. ${earlier}`,
      aliases(live('10'), mark('6'), mark('5')),
    ],
    [uses('Plants-old'), versions(version('6', '13', 'Plants-old'), version('10', '20'))],
    [uses('gone'), versions(version('6', '13', 'Plants', 'gone'), version('10', '20'))],
    [variablesOf('6'), versions(hidden('6'), hidden('10'))],
    [variablesOf('10'), versions(version('6', '13'), hidden('10'))],
    ['Nothing was changed: AccessDeniedException: no', { ListDeployments: denied }],
    ['Nothing was changed: AccessDeniedException: no', { ListVersionsByFunction: denied }],
    [
      'Nothing was changed: CodeDeploy is moving the alias. To stop it and roll back: aws deploy stop-deployment --auto-rollback-enabled --deployment-id d-1',
      { ListDeployments: is({ deployments: ['d-1'] }) },
    ],
    [
      'Nothing was changed: CodeDeploy does not say which deployments are in progress.',
      { ListDeployments: is({}) },
    ],
    [noAlias, { ListAliases: is({}) }],
    [noAlias, aliases(live('10', { RevisionId: undefined }))],
    [noAlias, aliases(live('7'))],
  ])('refuses: %s', async (message, changed, to) => {
    const planned = withAws({ ...DEPLOYED, ...changed }, () => plan(to));
    await expect(planned).rejects.toMatchObject({ name: 'PlainError', message });
  });

  /** An alias of Lambda at version 10; so many calls that move it get no response. */
  const lambda = (unanswered: 'after they took effect' | 'without effect', count: number): Responses => {
    const { responses } = keptAliases(live('10'));
    let calls = 0;
    const UpdateAlias = (input: Fields) => {
      calls += 1;
      const hasResponse = calls > count;
      const takesEffect = hasResponse || unanswered === 'after they took effect';
      const reply = takesEffect && (responses.UpdateAlias as (input: Fields) => Reply)(input);
      if (hasResponse && reply) return reply;
      throw new Error('The connection ends without a response.');
    };
    return { ...responses, UpdateAlias };
  };
  const THREE_ATTEMPTS = { AWS_MAX_ATTEMPTS: '3' };
  const planned = () => plan().then(({ live: found, target }) => pointAlias(found, target));
  const move = (responses: Responses, env: NodeJS.ProcessEnv = {}) =>
    withAws({ ...DEPLOYED, ...responses }, planned, env);
  const AT_10 = { Name: 'live', FunctionVersion: '10' };

  test('is done if the first attempt took effect without a response, and the second one is refused', async () => {
    await expect(move(lambda('after they took effect', 1), THREE_ATTEMPTS)).resolves.toBeUndefined();
  });

  test('at the same time as others succeeds if they go to the same version, and else changes nothing', async () => {
    const { responses, now } = keptAliases(live('10'));
    await withAws({ ...DEPLOYED, ...responses }, async () => {
      const [first, same, other] = [await plan(), await plan(), await plan('5')];
      await pointAlias(first.live, first.target);
      await pointAlias(same.live, same.target);
      await expect(pointAlias(other.live, other.target)).rejects.toThrow(
        'Nothing was changed: PreconditionFailedException: The Revision Id does not match',
      );
    });
    expect(now().live?.[0]).toBe('6');
  });

  test.each<[found: string, cause: string, responses: Responses, env?: NodeJS.ProcessEnv]>([
    // A call without a response may still take effect.
    ['then it was at 10', 'TimeoutError: socket hang up', lambda('without effect', 9)],
    [
      'then it was at 10',
      'the response names no version',
      { UpdateAlias: raw(200, ''), GetAlias: is(AT_10) },
    ],
    ['then it was at 10', 'the response names version 10', { UpdateAlias: is(AT_10), GetAlias: is(AT_10) }],
    [
      'it cannot be read (AccessDeniedException: no)',
      'ServiceException: no',
      { UpdateAlias: error('ServiceException', 'no', 500), GetAlias: denied },
    ],
    [
      'then it was at 6 and 10',
      'PreconditionFailedException: The Revision Id does not match',
      { ...lambda('after they took effect', 1), GetAlias: is(STOPPED) },
      THREE_ATTEMPTS,
    ],
  ])('does not say that nothing was changed if %s: %s', async (found, cause, responses, env) => {
    const look = 'aws lambda get-alias --function-name PlantStore-prod-Function --name live';
    await expect(move(responses, env)).rejects.toMatchObject({
      name: 'PlainError',
      message: `It is not known whether the alias is at version 6; ${found}. Look: ${look}. If it is not, repeat with --to 6. The error: ${cause}`,
    });
  });

  test('a signal ends it at once, so that the alias is not moved afterwards', async () => {
    let stop = () => false;
    const ListAliases = () => {
      stop();
      return is({ Aliases: [live('10')] });
    };
    const aws = await startAws({ ...DEPLOYED, ListAliases });
    const { child, ended } = startCommand('rollback', WORDS, { env: aws.env });
    stop = () => child.kill('SIGTERM');
    expect(await ended).toMatchObject({ out: '', err: '' });
    aws.close();
    expect(aws.inputs('UpdateAlias')).toEqual([]);
  });

  test.each([
    [['--stage', 'prod'], 'There is no terminal to ask on; add --yes.'],
    [[...WORDS, '--to', '0'], '--to must be a version number, such as 12.'],
  ])('with %j ends with exit code 2', (words, message) =>
    expectRefusal('rollback', words, { code: 2, message }),
  );
});

describe.skipIf(!hasTerminal)('npm run rollback in a terminal asks for confirmation', () => {
  test.each<[response: string, type: string, code: number, moved: string[], last: string]>([
    ['y', 'y\r', 0, ['6'], 'All new requests go to version 6. To return to version 10:'],
    ['no', 'no\r', 1, [], 'Nothing was changed.'],
    ['Ctrl-C', '\u0003', 1, [], 'Nothing was changed.'],
    ['Ctrl-D', '\u0004', 1, [], 'Nothing was changed.'],
  ])('the response is %s', async (_, type, code, moved, last) => {
    const aws = await startAws(DEPLOYED);
    const options = { env: aws.env, stopAt: 'Roll back? [y/N] ', type };
    const seen = await runInTerminal('rollback', ['--stage', 'prod'], options);
    aws.close();
    expect(aws.inputs('UpdateAlias').map(({ FunctionVersion }) => FunctionVersion)).toEqual(moved);
    expect(seen.output).toContain(last);
    expect(seen.output).not.toContain('    at ');
    expect(seen.code).toBe(code);
  });
});
