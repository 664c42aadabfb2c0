import { describe, expect, test } from 'vitest';
import { hasTerminal, runHere, runInTerminal } from '../test/support/run-command.ts';

const HELP =
  /^Usage:\n {2}npm run lab -- NAME \[ARGUMENTS\]\n\nNAME is one of bench, clients, (.|\n)+, warm; lab/;

/** The length of the longest line. */
const widthOf = (text: string) => Math.max(...text.split(/\r?\n/).map((line) => line.length));

describe('npm run lab', () => {
  test.each([
    [['--help'], 0, 'out', 'err'],
    [[], 2, 'err', 'out'],
    [['nothing'], 2, 'err', 'out'],
  ] as const)(
    '%j: its help wraps the names of the trials between words',
    async (args, code, shown, empty) => {
      const ended = await runHere('../lab/run', args);
      expect(ended[shown]).toMatch(HELP);
      expect(widthOf(ended[shown])).toBeLessThanOrEqual(80);
      expect([ended.code, ended[empty]]).toEqual([code, '']);
    },
  );

  test.skipIf(!hasTerminal)('--help is as wide as the terminal', async () => {
    const { output } = await runInTerminal('../lab/run', ['-h']);
    expect(widthOf(output)).toBeGreaterThan(80);
    expect(widthOf(output)).toBeLessThanOrEqual(100);
  });
});
