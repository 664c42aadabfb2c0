import { afterEach, expect, test, vi } from 'vitest';
import { PROD } from '../../test/support/aws-stand-in.ts';
import { clientSettings, failed } from './aws.ts';

afterEach(() => void vi.unstubAllEnvs());

test.each([
  ['a', 'b', 'c', 'a'],
  [undefined, 'b', 'c', 'b'],
  [undefined, '', 'c', 'c'],
  // The SDK then reads the profile.
  [undefined, '', '', undefined],
])('the stage has Region %j, AWS_REGION is %j, AWS_DEFAULT_REGION %j: %j', (region, first, second, used) => {
  vi.stubEnv('AWS_REGION', first);
  vi.stubEnv('AWS_DEFAULT_REGION', second);
  expect(clientSettings({ ...PROD, ...(region && { region }) }).region).toBe(used);
});

test.each([
  ['Could not load credentials from any providers', 'set them as for the AWS CLI: aws configure, or '],
  ['Profile mfa requires multi-factor authentication, but', 'run: eval "$(aws configure '],
  ['self-signed certificate in certificate chain', 'set NODE_EXTRA_CA_CERTS to the file of AWS_CA_BUNDLE.'],
])('what the SDK only states gets the command or the variable that mends it: %s', (message, mend) => {
  expect(() => failed('Nothing was read')(new Error(message))).toThrow(
    `Nothing was read: ${message}; ${mend}`,
  );
});
