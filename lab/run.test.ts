import { describe, expect, test } from 'vitest';
import { hasTerminal, npmRun, runInTerminal } from '../test/support/run-command.ts';

const HELP = /^Usage:\n {2}npm run lab -- NAME \[ARGUMENTS\]\n\nNAME is one of bench, clients, /;

/** The length of the longest line. */
const widthOf = (text: string) => Math.max(...text.split(/\r?\n/).map((line) => line.length));

describe('npm run lab', () => {
  test('--help wraps the names of the trials between words', async () => {
    const { code, out, err } = await npmRun('../lab/run', ['--help']);
    expect(out).toMatch(HELP);
    expect(out.replace(/\s+/g, ' ')).toContain(
      ', runtime, soak, templates, warm; lab/README.md says what each does.',
    );
    expect(widthOf(out)).toBeLessThanOrEqual(80);
    expect([code, err]).toEqual([0, '']);
  });

  test.skipIf(!hasTerminal)('--help is as wide as the terminal', async () => {
    const { output } = await runInTerminal('../lab/run', ['-h']);
    expect(widthOf(output)).toBeGreaterThan(80);
    expect(widthOf(output)).toBeLessThanOrEqual(100);
  });

  test.each([[[]], [['nothing']]])('%j is refused with the same text', async (args) => {
    const { code, out, err } = await npmRun('../lab/run', args);
    expect(err).toMatch(HELP);
    expect(widthOf(err)).toBeLessThanOrEqual(80);
    expect([code, out]).toEqual([2, '']);
  });
});
