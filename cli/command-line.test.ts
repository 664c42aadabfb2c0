import { describe, expect, test } from 'vitest';
import type { Command, Options } from './command.ts';
import { columns, parseCommand, UsageError, wholeNumber } from './command-line.ts';
import { helpText } from './help-text.ts';

const COMMAND = {
  script: 'any',
  usage: '',
  about: 'Does anything.',
  options: {
    url: { value: 'URL', about: 'an address' },
    rate: { value: 'N', about: 'a rate', default: '200' },
    origin: { value: 'ORIGIN', about: 'an origin', repeatable: true },
    write: { about: 'a switch' },
  },
  apart: [['url', 'origin']],
  main: async () => undefined,
} as const;
const NOTHING_SET = { rate: '200', write: false };

describe('the arguments of a command', () => {
  test.each([
    [[], { values: NOTHING_SET }],
    [['--url', 'x', '--write'], { values: { ...NOTHING_SET, url: 'x', write: true } }],
    [['--rate=7'], { values: { ...NOTHING_SET, rate: '7' } }],
    [['--origin', 'a', '--origin', 'b'], { values: { ...NOTHING_SET, origin: ['a', 'b'] } }],
    [['-h'], { help: true, values: NOTHING_SET }],
    [['a', '--write', 'b'], { operands: ['a', 'b'], values: { ...NOTHING_SET, write: true } }],
    [['a', '-7', '--url', '-8'], { operands: ['a', '-7'], values: { ...NOTHING_SET, url: '-8' } }],
    [['a', '--', '--b', '-7'], { operands: ['a', '--b', '-7'], values: NOTHING_SET }],
  ])('%j are read', (args, expected) => {
    const read = parseCommand({ ...COMMAND, operands: true }, args);
    expect(read).toEqual({ help: false, operands: [], ...expected });
  });

  test.each([
    [['--url', 'x', '--origin', 'y'], '--url and --origin cannot be used together.'],
    [['--url'], "Option '--url <value>' argument missing; --help shows the options."],
    [['--token=secret'], "Unknown option '--token'; --help shows the options."],
    [['plants_x'], 'Unexpected argument; --help shows the options.'],
  ])('%j is refused', (args, message) => {
    expect(() => parseCommand(COMMAND, args)).toThrow(new UsageError(message));
  });
});

test('a whole number is in its range, and in plain digits', () => {
  for (const text of ['1', '007', '2000']) expect(wholeNumber('rate', text, 1, 2000)).toBe(Number(text));
  for (const text of ['0', '2001', '1e3', '1.0', '-1', '', ' 1'])
    expect(() => wholeNumber('rate', text, 1, 2000), text).toThrow(UsageError);
});

describe('options that npm took, because there was no -- before them', () => {
  const options = {
    ...COMMAND.options,
    yes: { about: 'a switch that npm has too' },
    'a-b': { about: '' },
    'no-page': { about: '' },
  };
  const start = { ...COMMAND, options, script: 'start' };
  const RATE = '--rate for itself; put -- before the options: npm start -- --rate N';
  test.each([
    // npm start --rate 3111
    [['3111'], { npm_config_rate: 'true' }, RATE],
    [
      [],
      { npm_config_write: 'true', npm_config_url: 'secret' },
      '--url and --write for itself; put -- before the options: npm start -- --url URL --write',
    ],
    [['--rate=5'], { npm_config_rate: '3111' }, undefined],
    [[], { npm_config_rate: '3111', npm_lifecycle_event: 'test' }, undefined],
    // npm's own configuration may have it.
    [[], { npm_config_yes: 'true' }, undefined],
    // npm start --no-page
    [[], { npm_config_page: '' }, '--no-page for itself; put -- before the options: npm start -- --no-page'],
    [[], { npm_config_page: 'true' }, undefined],
    [
      [],
      { npm_config_yes: 'true', npm_config_a_b: 'true' },
      '--yes and --a-b for itself; put -- before the options: npm start -- --yes --a-b',
    ],
  ])('%j, %j', (args, variables, message) => {
    const parse = () => parseCommand(start, args, { npm_lifecycle_event: 'start', ...variables });
    if (message === undefined) expect(parse).not.toThrow();
    else expect(parse).toThrow(new UsageError(`npm took ${message}`));
  });
});

test('a table aligns its columns; each row is one line without control characters', () => {
  const rows = [['name', '1'], ['x\u001b\ny', '100'], ['none']];
  expect(columns(rows, 'lr')).toEqual(['name         1', 'x\\u001b y  100', 'none']);
});

test.each([
  [{ script: 'start', usage: '[--port N]' }, '  npm start -- [--port N]'],
  [
    { verb: 'delete', isQuiet: true, usage: 'ID\n--ids FILE' },
    '  npm run -s any -- delete ID\n  npm run -s any -- delete --ids FILE',
  ],
  [{ script: undefined, usage: 'npx node any.ts' }, '  npx node any.ts'],
] as const)('how to start a command: %j', (change, usage) => {
  expect(helpText({ ...COMMAND, ...change } as Command<Options>)).toContain(`Usage:\n${usage}\n\n`);
});

test('the help wraps at 80 columns', () => {
  const usage = 'FILE [--url URL | --rate N] [--origin ORIGIN] [--write] [--all NAME]';
  const command = {
    ...COMMAND,
    usage,
    about: 'Does anything,\nand more of it.',
    notes: 'One.\nTwo.\n\nThree.',
  };
  expect(helpText(command)).toBe(`Usage:
  npm run any -- FILE [--url URL | --rate N] [--origin ORIGIN] [--write]
      [--all NAME]

Does anything, and more of it.

Options:
  --url URL        an address
  --rate N         a rate (default: 200)
  --origin ORIGIN  an origin
  --write          a switch
  -h, --help       show this help

One. Two.

Three.`);
});
