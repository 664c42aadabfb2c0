import { describe, expect, test } from 'vitest';
import { error, is, type Responses } from '../../test/support/aws-stand-in.ts';
import {
  DEPLOYED,
  keptAliases,
  live,
  mark,
  version,
  versions,
} from '../../test/support/deployed-function.ts';
import { runWithAws } from '../../test/support/run-command.ts';

const WORDS = ['--stage', 'prod', '--yes'];
const COMMIT = `commit ${'a'.repeat(40)}`;
const AT_10 = live('10', { Description: COMMIT });

describe('a rollback marks the version that it leaves', () => {
  /** Runs rollbacks one after another. @returns the aliases afterwards, each with its version and description */
  async function aliasesAfter(runs: readonly string[][], kept = keptAliases(AT_10), changed: Responses = {}) {
    const responses = { ...DEPLOYED, ...kept.responses, ...changed };
    for (const words of runs)
      expect(await runWithAws('rollback', words, responses)).toMatchObject({ code: 0, err: '' });
    return kept.now();
  }
  const left = (version: string) => `${COMMIT}, rolled back from version ${version}`;
  const MARK_10 = { 'rolled-back-10': ['10', ''] };

  test.each<[string, runs: string[][], after: object]>([
    ['in an alias and in the description', [WORDS], { live: ['6', left('10')], ...MARK_10 }],
    [
      'and a second one too; the description keeps the version that was deployed',
      [WORDS, WORDS],
      { live: ['5', left('10')], ...MARK_10, 'rolled-back-6': ['6', ''] },
    ],
    [
      'until a rollback returns to it, after which everything is as it was deployed',
      [WORDS, [...WORDS, '--to', '10']],
      { live: ['10', COMMIT] },
    ],
    [
      'but not where a deployment deletes the previous version, which the mark would prevent',
      [['--stage', 'dev', '--yes']],
      { live: ['6', left('10')] },
    ],
  ])('%s', async (_, runs, after) => {
    expect(await aliasesAfter(runs)).toEqual(after);
  });

  test('so that the rollback after the next deployment does not return to it', async () => {
    const deployed = keptAliases(live('11', { Description: COMMIT }), mark('10'));
    const four = versions(version('5', '01'), version('6', '13'), version('10', '20'), version('11', '21'));
    expect(await aliasesAfter([WORDS], deployed, four)).toEqual({
      live: ['6', left('11')],
      ...MARK_10,
      'rolled-back-11': ['11', ''],
    });
  });

  test('and warns who returns to a marked version', async () => {
    const { responses } = keptAliases(AT_10, mark('6'));
    const { out } = await runWithAws('rollback', [...WORDS, '--to', '6'], { ...DEPLOYED, ...responses });
    expect(out).toContain('Warning: a rollback has left version 6.\n');
    expect(out).toContain('Version 6 is no longer marked as rolled back.\n');
  });

  const denied = error('AccessDeniedException', 'no', 403);
  const unmarked = (why: string) =>
    `The rollback is done, but version 10 is not marked as rolled back (${why}), so a later rollback may propose it. To mark it: aws lambda create-alias --function-name PlantStore-prod-Function --function-version 10 --name rolled-back-10`;
  test.each<[string, changed: Responses, message: string]>([
    ['cannot be written', { CreateAlias: denied }, unmarked('AccessDeniedException: no')],
    ['may not be there', { CreateAlias: is({}) }, unmarked('the response does not name the version')],
    [
      'cannot be removed',
      { ...keptAliases(AT_10, mark('6')).responses, DeleteAlias: denied },
      'The rollback is done, but version 6 may still be marked as rolled back (AccessDeniedException: no). To remove the mark: aws lambda delete-alias --function-name PlantStore-prod-Function --name rolled-back-6',
    ],
  ])('if the mark %s, it says what was done, and the command', async (_, changed, message) => {
    const responses = { ...DEPLOYED, ...keptAliases(AT_10).responses, ...changed };
    const { code, out, err } = await runWithAws('rollback', [...WORDS, '--to', '6'], responses);
    expect({ code, err }).toEqual({ code: 1, err: `${message}\n` });
    expect(out).toContain('All new requests go to version 6.');
  });

  test('is done if the mark is there already, as after a lost response', async () => {
    const { responses } = keptAliases(AT_10, mark('10'));
    const ended = await runWithAws('rollback', WORDS, { ...DEPLOYED, ...responses });
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(ended.out).toContain('Version 10 is marked as rolled back');
  });
});
