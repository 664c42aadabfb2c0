import { describe, expect, test } from 'vitest';
import { barsSvg, plotSvg } from '../../lab/plot.ts';

/** All values of one attribute, in the order of the elements that have it. */
const all = (svg: string, pattern: RegExp) => [...svg.matchAll(pattern)].map(([, value]) => value);

describe('a plot of lines', () => {
  const svg = plotSvg({ title: 'Latency <p50>', x: 'seconds', y: 'ms & more' }, [
    {
      name: 'p50',
      points: [
        [0, 0],
        [5, 40],
        [10, 20],
      ],
    },
  ]);

  test('draws each point in proportion, from zero to the next 1, 2 or 5', () => {
    // x from 64 to 844 for 0 to 10, y from 320 up to 56 for 0 to 50.
    expect(svg).toContain('d="M64.0 320.0L454.0 108.8L844.0 214.4"');
    expect(svg).toContain('>50</text>');
  });

  test('escapes text, and has a title for screen readers', () => {
    expect(svg).toContain('<title>Latency &lt;p50></title>');
    expect(svg).toContain('>ms &amp; more</text>');
  });

  test('is a valid picture even without points', () => {
    expect(plotSvg({ title: 'Nothing', x: 's', y: 'ms' }, [])).not.toContain('NaN');
  });
});

test('the length of a bar is proportional to its value, per column', () => {
  const rows = [
    { name: 'ours', isMarked: true },
    { name: 'theirs', isMarked: false },
  ];
  const svg = barsSvg('Cost', rows, [
    { title: 'ms', values: [50, 200], digits: 0 },
    { title: 'MB', values: [1.5, 1], digits: 1 },
  ]);
  // After the background: two columns of 315, less 56 for the number.
  expect(all(svg, /<rect [^>]*width="([\d.]+)"/g)).toEqual(['860.0', '64.8', '259.0', '259.0', '172.7']);
  expect(all(svg, /font-weight="bold">([^<]+)</g)).toEqual(['Cost', 'ours', '50', '1.5']);
});
