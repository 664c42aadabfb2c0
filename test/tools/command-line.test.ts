import { describe, expect, test } from 'vitest';
import { parseCommand, table, UsageError, wholeNumber } from '../../tools/command-line.ts';

const COMMAND = {
  usage: 'npm run any',
  about: 'Does anything.',
  options: {
    url: { value: 'URL', about: 'an address' },
    rate: { value: 'N', about: 'a rate', default: '200' },
    origin: { value: 'ORIGIN', about: 'an origin', repeatable: true },
    write: { about: 'a switch' },
    token: { about: '', removed: 'use standard input.' },
  },
} as const;
const NOTHING_SET = { rate: '200', write: false, token: false };

describe('the arguments of a command', () => {
  test.each([
    [[], { help: false, values: NOTHING_SET }],
    [['--url', 'x', '--write'], { help: false, values: { ...NOTHING_SET, url: 'x', write: true } }],
    [['--rate=7'], { help: false, values: { ...NOTHING_SET, rate: '7' } }],
    [['--origin', 'a', '--origin', 'b'], { help: false, values: { ...NOTHING_SET, origin: ['a', 'b'] } }],
    [['--help'], { help: true, values: NOTHING_SET }],
    [['-h'], { help: true, values: NOTHING_SET }],
  ])('%j are read', (args, expected) => {
    expect(parseCommand(COMMAND, args)).toEqual({ ...expected, operands: [] });
  });

  test('operands are returned if the command has them', () => {
    expect(parseCommand({ ...COMMAND, operands: true }, ['a', '--write', 'b'])).toMatchObject({
      operands: ['a', 'b'],
      values: { write: true },
    });
  });

  test.each([
    [['--uri', 'x'], "Unknown option '--uri'; --help shows the options."],
    [['--url'], "Option '--url <value>' argument missing; --help shows the options."],
    [['--write=1'], "Option '--write' does not take an argument; --help shows the options."],
    [['secret'], 'An argument does not belong to any option; --help shows the options.'],
    [['--token', 'secret'], 'There is no option --token: use standard input.'],
    [['--token=secret'], 'There is no option --token: use standard input.'],
  ])('%j is refused', (args, message) => {
    expect(() => parseCommand(COMMAND, args)).toThrow(new UsageError(message));
  });
});

describe('a whole number', () => {
  test.each(['1', '007', '2000'])('may be %s', (text) => {
    expect(wholeNumber('rate', text, 1, 2000)).toBe(Number(text));
  });

  test.each(['0', '2001', '1e3', '1.0', '-1', '', ' 1'])('may not be "%s"', (text) => {
    const message = '--rate must be a whole number from 1 to 2000.';
    expect(() => wholeNumber('rate', text, 1, 2000)).toThrow(new UsageError(message));
  });
});

test('a table aligns its columns; colour codes have no width', () => {
  const rows = [['name', '1'], ['\u001b[31mx\u001b[39m', '100'], ['none']];
  expect(table(rows, 'lr')).toBe('name    1\n\u001b[31mx\u001b[39m     100\nnone');
});
