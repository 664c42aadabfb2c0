import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { identityProvider, isOpen } from '../../infra/identity-provider.ts';
import { blocksOf } from './documents.ts';

const examples = blocksOf('docs/identity-provider.md', 'ts').map(
  (code) => runInNewContext(`({${code}})`).identityProvider,
);

test('the page has examples', () => expect(examples.length).toBeGreaterThan(10));

test.each(examples)('a stage accepts the example of $issuer, and it names who gets in', (example) => {
  expect(isOpen(identityProvider.parse(example))).toBe(false);
});
