import { expect } from 'vitest';
import { manifestsOf, planCopy } from './plan.ts';
import { RENAMED_HOUSE, testOfHouse } from './test-house.ts';

const MENTION = /identity.?provider|issuer|\bjose\b|jwks|json.?web.?token|oidc-provider'/i;
/** Those of certificates, and of the tokens with which GitHub's jobs deploy. */
const OTHER_ISSUERS = [
  'docs/company.md',
  'infra/pipeline-stack.ts',
  'operate/shared/aws.ts',
  'test/infra/templates/pipeline.test.ts',
];

/** The files that mention a provider of tokens for clients, and the lines. */
const mentions = (names: readonly string[]) =>
  [...planCopy(RENAMED_HOUSE, names)]
    .filter(([file]) => !file.endsWith('lock.json') && !OTHER_ISSUERS.includes(file))
    .flatMap(([file, text]) =>
      text.split('\n').flatMap((line) => (MENTION.test(line) ? `${file}: ${line}` : [])),
    );

testOfHouse('a copy with all but the identity provider does not mention one', () => {
  const names = manifestsOf(RENAMED_HOUSE).map(({ name }) => name);
  expect(mentions(names).length).toBeGreaterThan(100);
  expect(mentions(names.filter((name) => name !== 'identity-provider'))).toEqual([]);
});
