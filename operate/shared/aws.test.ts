import { createHash, generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFailed, test, vi } from 'vitest';
import { error, noStack, ok, type Responses, stack, withAws } from '../../test/support/aws-stand-in.ts';
import { runHere } from '../../test/support/run-command.ts';
import { temporaryFolder } from '../../test/support/temporary-root.ts';
import { PROD } from '../../test/support/test-stages.ts';
import { clientSettings, failed } from './aws.ts';
import { readCaller } from './deployed-stack.ts';

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
  ['self-signed certificate in certificate chain', 'set NODE_EXTRA_CA_CERTS to the file of AWS_CA_BUNDLE.'],
])('what the SDK only states gets the command or the variable that mends it: %s', (message, mend) => {
  expect(() => failed('Nothing was read')(new Error(message))).toThrow(
    `Nothing was read: ${message}; ${mend}`,
  );
});

const NO_KEYS = { AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined };
const KEYS = { AWS_ACCESS_KEY_ID: 'KEYS', AWS_SECRET_ACCESS_KEY: 'any' };
const ROLE = 'role_arn = arn:aws:iam::111122223333:role/Operator';
const BASE = '[profile base]\naws_access_key_id = BASE\naws_secret_access_key = any';
const SSO =
  'sso_account_id = 1\nsso_role_name = R\nsso_session = c\n[sso-session c]\nsso_start_url = https://c\nsso_region = eu-west-1';

/** A home folder with the files of the AWS CLI. @returns the environment that names them */
function home(config: string, sessionEnds = '2099-01-01T00:00:00Z') {
  const folder = temporaryFolder();
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const cache = (algorithm: string, id: string) => `${createHash(algorithm).update(id).digest('hex')}.json`;
  write(`.aws/sso/cache/${cache('sha1', 'c')}`, JSON.stringify({ accessToken: 'a', expiresAt: sessionEnds }));
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const accessToken = {
    accountId: '1',
    accessKeyId: 'a',
    secretAccessKey: 'b',
    expiresAt: '2020-01-01T00:00:00Z',
  };
  const dpopKey = privateKey.export({ format: 'pem', type: 'sec1' });
  const login = { accessToken, clientId: 'x', refreshToken: 'r', dpopKey };
  write(`.aws/login/cache/${cache('sha256', 'arn:ended')}`, JSON.stringify(login));
  return {
    HOME: folder,
    AWS_CONFIG_FILE: write('.aws/config', `${config}\n`),
    AWS_LOGIN_CACHE_DIRECTORY: path.join(folder, '.aws/login/cache'),
    // Of the web identity.
    TOKEN: write('token', 'any'),
  };
}

const refused = (operation: string, code: string, message = 'No.') => ({
  [operation]: error(code, message, 403),
});
const web = (AWS_WEB_IDENTITY_TOKEN_FILE: string) => ({ AWS_WEB_IDENTITY_TOKEN_FILE, AWS_ROLE_ARN: ROLE });
const PROFILE = { AWS_PROFILE: 'work' };
const EXPIRED = refused('GetCallerIdentity', 'ExpiredToken');
const PROCESS = 'run it by hand';
const NOT_THERE = 'the files of the AWS CLI must have this profile, with credentials or their source';
test.each<
  [config: string, env: NodeJS.ProcessEnv, cause: string, mend: string, responses?: Responses, ends?: string]
>([
  ['', {}, 'Could not load credentials', 'there are none: set AWS_PROFILE, or make a profile'],
  [
    '',
    { AWS_ACCESS_KEY_ID: 'a' },
    'Unable to find environment var',
    'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or neither',
  ],
  // A mistyped name must not lead to another source.
  [BASE, { AWS_PROFILE: 'typo', ...web('TOKEN') }, 'profile: [typo]', NOT_THERE],
  ['region = x', PROFILE, 'profile: [work]', NOT_THERE],
  [`${ROLE}\nsource_profile = gone`, PROFILE, 'profile: [gone]', NOT_THERE],
  [
    `${ROLE}\nsource_profile = work2\n[profile work2]\n${ROLE}\nsource_profile = work`,
    PROFILE,
    'Detected a cycle',
    'work2',
  ],
  [
    `${ROLE}\ncredential_source = Other`,
    PROFILE,
    'Unsupported credential source',
    'expected EcsContainer or',
  ],
  [
    `${ROLE}\ncredential_source = Environment`,
    PROFILE,
    'Unable to find environment var',
    'set AWS_ACCESS_KEY_ID and',
  ],
  [
    `${ROLE}\nmfa_serial = m\nsource_profile = base\n${BASE}`,
    PROFILE,
    'requires multi-factor',
    'run: eval "$(aws configure ',
  ],
  [
    `${ROLE}\nsource_profile = base\n${BASE}`,
    PROFILE,
    'AccessDenied',
    'check the ARN of the role, its trust policy',
    refused(
      'AssumeRole',
      'AccessDenied',
      'User: u is not authorized to perform: sts:AssumeRole on resource: R',
    ),
  ],
  ['credential_process = sh -c "echo locked >&2; exit 3"', PROFILE, 'locked', PROCESS],
  ['credential_process = echo', PROFILE, 'returned invalid JSON', PROCESS],
  ['[default]\ncredential_process = sh -c "echo locked >&2; exit 3"', {}, 'locked', PROCESS],
  [
    SSO,
    PROFILE,
    'UnauthorizedException',
    'the session has ended: aws sso login',
    refused('GetRoleCredentials', 'UnauthorizedException'),
  ],
  [
    SSO,
    PROFILE,
    'ForbiddenException',
    'check sso_account_id and sso_role_name',
    refused('GetRoleCredentials', 'ForbiddenException'),
  ],
  [SSO, PROFILE, 'SSO Token', "run 'aws sso login'", {}, '2020-01-01T00:00:00Z'],
  ['sso_session = gone', PROFILE, "'sso_region'", 'the sso_session of the profile is not in the config file'],
  ['sso_start_url = https://c', PROFILE, 'invalid SSO credentials', 'Required parameters "sso_account_id"'],
  ['login_session = arn:none', PROFILE, 'Failed to load token', 'run aws login'],
  [
    'login_session = arn:ended',
    PROFILE,
    'AccessDeniedException',
    're-authenticate using `aws login`',
    refused('CreateOAuth2Token', 'AccessDeniedException'),
  ],
  ['', KEYS, 'ExpiredToken', 'replace or unset AWS_ACCESS_KEY_ID', EXPIRED],
  [
    'aws_access_key_id = a\naws_secret_access_key = b',
    PROFILE,
    'ExpiredToken',
    'renew the credentials of the profile',
    EXPIRED,
  ],
  [
    '',
    KEYS,
    'InvalidClientTokenId',
    'replace or unset AWS_ACCESS_KEY_ID',
    refused('GetCallerIdentity', 'InvalidClientTokenId'),
  ],
  [
    '',
    KEYS,
    'SignatureDoesNotMatch',
    'check the secret access key, and the clock',
    refused('GetCallerIdentity', 'SignatureDoesNotMatch'),
  ],
  ['', web('/nonexistent'), 'ENOENT', 'check AWS_WEB_IDENTITY_TOKEN_FILE'],
  [
    `${ROLE}\nweb_identity_token_file = /nonexistent`,
    PROFILE,
    'ENOENT',
    'or web_identity_token_file of the profile',
  ],
  [
    '',
    web('TOKEN'),
    'Token expired',
    'the web identity token file needs a new token',
    refused('AssumeRoleWithWebIdentity', 'ExpiredTokenException', 'Token expired: yesterday'),
  ],
  [
    '',
    web('TOKEN'),
    'AccessDenied',
    'check the ARN of the role, its trust policy',
    refused(
      'AssumeRoleWithWebIdentity',
      'AccessDenied',
      'Not authorized to perform sts:AssumeRoleWithWebIdentity',
    ),
  ],
  [
    '',
    { AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://example.com' },
    'Could not load',
    'the address in AWS_CONTAINER_CREDENTIALS_FULL_URI',
  ],
])(
  'the failure of a source is told by its cause, and what mends it: %j %j',
  async (config, env, cause, mend, responses = {}, ends) => {
    const { TOKEN, ...files } = home(config.startsWith('[') ? config : `[profile work]\n${config}`, ends);
    const token = env.AWS_WEB_IDENTITY_TOKEN_FILE === 'TOKEN' ? { AWS_WEB_IDENTITY_TOKEN_FILE: TOKEN } : {};
    const asked = withAws(
      { GetCallerIdentity: ok({ Account: '111122223333' }), ...responses },
      () => readCaller(clientSettings({})).catch(failed('Nothing was read')),
      { ...NO_KEYS, ...files, ...env, ...token },
    );
    const { message } = await asked.then(
      () => expect.unreachable(),
      (failure) => failure,
    );
    expect(message).toMatch(/^Nothing was read: [^\n]+$/);
    expect(message).toContain(cause);
    expect(message).toContain(mend);
  },
);

/** What each access key is of. */
const ACCOUNTS: Record<string, string> = { KEYS: '111122223333', BASE: '444455556666' };
const DEPLOYED = {
  ...stack('UPDATE_COMPLETE', { BaseUrl: 'http://127.0.0.1:9', AccessTokensTable: 'T', PlantsTable: 'P' }),
  ListStackResources: ok({ StackResourceSummaries: [] }),
  Scan: ok({ Items: [], Count: 0 }),
};
const BOTH = { ...KEYS, AWS_PROFILE: 'base' };
const ANY_STAGE = ['--stage', 'prod'];
test.each([
  ['doctor', ANY_STAGE],
  ['guard', ANY_STAGE],
  ['logs', [...ANY_STAGE, '--query', 'errors']],
  ['token', ['list', ...ANY_STAGE]],
  ['plants', ['export', ...ANY_STAGE]],
  ['verify', ANY_STAGE],
])(
  'npm run %s takes the keys, although a profile is set, too, and prints no warning of the SDK',
  async (name, args) => {
    const warn = vi.spyOn(console, 'warn');
    const GetCallerIdentity = (_: unknown, key: string) => ok({ Account: String(ACCOUNTS[key]), Arn: key });
    const used = await withAws(
      { ...DEPLOYED, GetCallerIdentity },
      async (calls) => {
        await runHere(name, args);
        return new Set(calls.map(({ accessKeyId }) => accessKeyId));
      },
      { ...BOTH, ...home(BASE) },
    );
    expect([...used]).toEqual(['KEYS']);
    expect(warn).not.toHaveBeenCalled();
  },
);

const CDK = path.join(import.meta.dirname, '../../node_modules/.bin/cdk');
const OTHER_KEYS = { AMAZON_ACCESS_KEY_ID: 'KEYS', AMAZON_SECRET_ACCESS_KEY: 'any' };
test.each<[string, NodeJS.ProcessEnv, key: string, options?: string[], cdkJson?: string]>([
  ['keys and a profile', BOTH, 'KEYS'],
  ['a profile', { ...NO_KEYS, AWS_PROFILE: 'base' }, 'BASE'],
  ['the older name of a profile', { ...NO_KEYS, AWS_DEFAULT_PROFILE: 'base', ...OTHER_KEYS }, 'BASE'],
  [
    'what only the CDK reads',
    { ...KEYS, CDK_PROFILE: 'base', CDK_HOTSWAP: 'true' },
    'KEYS',
    [],
    '{"profile":"base"}',
  ],
  ['a profile of another account', KEYS, '', ['--', '--profile', 'base']],
])(
  'the guard and the CDK itself act on one account: %s',
  async (_, env, key, options = [], cdkJson = '{}') => {
    const files = home(BASE);
    const [seen, said] = [path.join(files.HOME, 'seen'), path.join(files.HOME, 'said')];
    onTestFailed(() =>
      console.error(existsSync(said) ? readFileSync(said, 'utf8') : 'The CDK was not started.'),
    );
    const script = (name: string, text: string) =>
      writeFileSync(path.join(files.HOME, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    // The real CDK finds its account, and tells the app. It says that it does not know the options of deploy, and that the app failed.
    script('cdk', `shift; cd '${files.HOME}' && exec '${CDK}' ls "$@" --app ./app >'${said}' 2>&1`);
    script('app', `echo "$CDK_DEFAULT_ACCOUNT $CDK_DEFAULT_REGION$CDK_HOTSWAP" >'${seen}'; exit 1`);
    writeFileSync(path.join(files.HOME, '.cdk.json'), cdkJson);
    const { err, used } = await withAws(
      {
        DescribeStacks: noStack(),
        GetCallerIdentity: (_, id) => ok({ Account: String(ACCOUNTS[id]), Arn: id }),
      },
      async (calls) => {
        const { err } = await runHere('deploy', [...ANY_STAGE, '--first', ...options]);
        return { err, used: new Set(calls.map(({ accessKeyId }) => accessKeyId)) };
      },
      { ...env, ...files, PATH: `${files.HOME}${path.delimiter}${process.env.PATH}` },
    );
    if (key) {
      expect(readFileSync(seen, 'utf8')).toBe(`${ACCOUNTS[key]} eu-west-1\n`);
      expect([...used]).toEqual([key]);
    } else {
      expect(err).toBe(
        'Nothing was deployed: the guard looks at account 111122223333, but --profile base is of 444455556666; set AWS_PROFILE for both.\n',
      );
      expect(existsSync(seen)).toBe(false);
    }
  },
);
