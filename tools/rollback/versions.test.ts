import { describe, expect, test } from 'vitest';
import { error, type Fields, is, type Responses } from '../../test/support/aws-stand-in.ts';
import {
  aliases,
  DEPLOYED,
  deployed,
  live,
  version,
  versions,
} from '../../test/support/deployed-function.ts';
import { runWithAws } from '../../test/support/run-command.ts';

const commit = (letter: string) => `commit ${letter.repeat(40)}`;

/** Runs a rollback. @returns the commits of the versions that it lists, and the lines after the list */
async function list(responses: Responses, ...words: string[]) {
  const run = await runWithAws('rollback', ['--stage', 'prod', '--yes', ...words], {
    ...DEPLOYED,
    ...responses,
  });
  const rows = run.out.split('\n').flatMap((line) => {
    const [, number, known] = /^(\d+) +\S+ \S+ UTC {2}(.+?) {2,}1024 MB/.exec(line) ?? [];
    return number === undefined ? [] : [[number, known]];
  });
  return { ...run, commits: Object.fromEntries(rows), listed: rows.map(([number]) => number) };
}

/** CloudFormation's events, in pages. */
const events = (...pages: Fields[][]): Responses => ({
  DescribeStackEvents: ({ NextToken = '0' }) => {
    const n = Number(NextToken);
    const more = n + 1 < pages.length ? { NextToken: String(n + 1) } : {};
    return is({ StackEvents: pages[n] ?? [], ...more });
  },
});

describe('the versions are listed with the commit of', () => {
  test("the latest deployment of each that did not fail, from no more of CloudFormation's events than it needs", async () => {
    const other = { ...deployed('5', commit('f')), ResourceType: 'AWS::Lambda::Function' };
    const { commits, inputs } = await list(
      events(
        [
          other,
          deployed('10', commit('1'), 'UPDATE_IN_PROGRESS'),
          deployed('10', commit('2'), 'UPDATE_FAILED'),
        ],
        [deployed('10', commit('a')), deployed('10', commit('b'))],
        [deployed('6', `${commit('c')}, modified`), deployed('5', commit('d'), 'CREATE_COMPLETE')],
        [deployed('5', commit('e'))],
      ),
    );
    expect(commits).toEqual({ 10: 'aaaaaaaaaaaa', 6: 'cccccccccccc, modified', 5: 'dddddddddddd' });
    expect(inputs('DescribeStackEvents')).toHaveLength(3);
  });

  test.each<[string, Fields, Record<string, string>]>([
    ['as the alias says', live('10', { Description: commit('a') }), { 10: 'aaaaaaaaaaaa', 6: 'not known' }],
    [
      'which the alias was moved from',
      live('6', { Description: `${commit('a')}, rolled back from version 10` }),
      { 10: 'aaaaaaaaaaaa', 6: 'not known' },
    ],
    ['which says nothing', live('10', { Description: 'by hand' }), { 10: 'not known', 6: 'not known' }],
  ])('the deployed version, %s', async (_, alias, expected) => {
    const eventWithoutProperties = { ...deployed('6', commit('b')), ResourceProperties: undefined };
    const { commits } = await list({ ...aliases(alias), ...events([eventWithoutProperties]) });
    expect(commits).toMatchObject(expected);
  });

  test('none if the events cannot be read, which prevents no rollback', async () => {
    const denied = error('AccessDenied', 'no cloudformation:DescribeStackEvents', 403);
    const { code, commits, out } = await list({ DescribeStackEvents: denied });
    expect(commits).toEqual({ 10: 'not known', 6: 'not known', 5: 'not known' });
    expect(out).toContain(
      'The events of the stack, which have the commits, cannot be read: AccessDenied: no cloudformation:DescribeStackEvents\n',
    );
    expect(out).toContain('All new requests go to version 6.');
    expect(code).toBe(0);
  });

  test('those that ten pages of events name', async () => {
    const { commits, inputs } = await list({
      DescribeStackEvents: is({ StackEvents: [], NextToken: 'more' }),
    });
    expect(commits).toEqual({ 10: 'not known', 6: 'not known', 5: 'not known' });
    expect(inputs('DescribeStackEvents')).toHaveLength(10);
  });
});

test('the ten newest versions are listed, and older ones that serve or are named', async () => {
  const all = Array.from({ length: 14 }, (_, n) => version(String(n + 1), '10'));
  const { listed } = await list({ ...versions(...all), ...aliases(live('3')) }, '--to', '2');
  expect(listed).toEqual(['14', '13', '12', '11', '10', '9', '8', '7', '6', '5', '3', '2']);
});

test('the versions are listed even if the rollback is refused', async () => {
  const { listed, code } = await list({}, '--to', '7');
  expect({ listed, code }).toEqual({ listed: ['10', '6', '5'], code: 1 });
});
