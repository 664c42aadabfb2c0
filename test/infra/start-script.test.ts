import { App, Stack } from 'aws-cdk-lib';
import { expect, test } from 'vitest';
import { usesStartScript } from '../../infra/start-script.ts';
import { UNPROTECTED } from './synth.ts';

const WARNING =
  /^The function of trial starts without lambda\/start-script\.sh, and more slowly: Windows cannot mark a file as executable\. /;

test.each<[NodeJS.Platform, boolean | undefined, boolean, number]>([
  ['linux', undefined, true, 0],
  ['darwin', true, true, 0],
  ['linux', false, false, 0],
  ['win32', undefined, false, 1],
  ['win32', false, false, 0],
])(
  'on %s with the setting %s, the script is used: %s, warnings: %i',
  (platform, startScript, used, warnings) => {
    const stack = new Stack(new App({ context: { 'aws:cdk:disable-stack-trace': true } }));
    expect(usesStartScript(stack, { ...UNPROTECTED, startScript }, platform)).toBe(used);
    const texts = stack.node.metadata.flatMap(({ type, data }) => (type === 'aws:cdk:warning' ? [data] : []));
    expect(texts).toEqual(Array(warnings).fill(expect.stringMatching(WARNING)));
  },
);
