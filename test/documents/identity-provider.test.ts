import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { isOpen } from '../../infra/identity-provider.ts';
import { identityProvider } from '../../infra/identity-provider-setting.ts';
import { blocksOf } from './documents.ts';

const examples = blocksOf('docs/identity-provider.md', 'ts').map(
  (code) => runInNewContext(`({${code}})`).identityProvider,
);

test('the page has examples', () => expect(examples.length).toBeGreaterThan(10));

test.each(examples)('a stage accepts the example of $issuer, and it names who gets in', (example) => {
  const parsed = identityProvider.parse(example);
  expect(parsed && isOpen(parsed)).toBe(false);
});
