import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFailed, test, vi } from 'vitest';
import { awsHome, SSO } from '../../test/support/aws-home.ts';
import { error, noStack, ok, type Responses, stack, withAws } from '../../test/support/aws-stand-in.ts';
import { PACKAGES } from '../../test/support/project.ts';
import { runHere } from '../../test/support/run-command.ts';
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

test('what the SDK only states gets the variable that mends it', () => {
  const message = 'self-signed certificate in certificate chain';
  const mend = 'set NODE_EXTRA_CA_CERTS to the file of AWS_CA_BUNDLE.';
  expect(() => failed('Any')(new Error(message))).toThrow(`Any: ${message}; ${mend}`);
});

/** A file that no machine has. */
const NO_FILE = path.join(import.meta.dirname, 'no-such-file');

const NO_KEYS = { AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined };
const KEYS = { AWS_ACCESS_KEY_ID: 'KEYS', AWS_SECRET_ACCESS_KEY: 'any' };
const ROLE = 'role_arn = arn:aws:iam::111122223333:role/Operator';
const BASE = '[profile base]\naws_access_key_id = BASE\naws_secret_access_key = any';
const web = (AWS_WEB_IDENTITY_TOKEN_FILE: string) => ({ AWS_WEB_IDENTITY_TOKEN_FILE, AWS_ROLE_ARN: ROLE });
const refused = (operation: string, code: string, message = 'No.') => ({
  [operation]: error(code, message, 403),
});

/** Expects that the failure of a source is told in one line, with its cause and what mends it. */
async function expectTold(
  cause: string,
  mend: string,
  { TOKEN, ...files }: ReturnType<typeof awsHome>,
  env: NodeJS.ProcessEnv,
  responses: Responses = {},
) {
  const token = env.AWS_WEB_IDENTITY_TOKEN_FILE === 'TOKEN' ? { AWS_WEB_IDENTITY_TOKEN_FILE: TOKEN } : {};
  const asked = withAws(
    { GetCallerIdentity: ok({ Account: '111122223333' }), ...responses },
    () => readCaller(clientSettings({})).catch(failed('Nothing was read')),
    { ...NO_KEYS, ...files, ...env, ...token },
  );
  const message = await asked.then(JSON.stringify, (failure) => failure.message);
  expect(message).toMatch(/^Nothing was read: [^\n]+$/);
  expect(message).toContain(cause);
  expect(message).toContain(mend);
}

const PROCESS = 'run it by hand';
const LOCKED = 'credential_process = sh -c "echo locked >&2; exit 3"';
const NOT_THERE = 'the files of the AWS CLI must have this profile, with credentials or their source';
const NO_ROLE = 'check the ARN of the role, its trust policy';
const NO_VARIABLE = 'Unable to find environment var';
const BOTH_KEYS = 'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or neither';
const NOT_ALLOWED = 'User: u is not authorized to perform: sts:AssumeRole on resource: R';
const ofSso = (code: string) => refused('GetRoleCredentials', code);
const EXPIRED = refused('GetCallerIdentity', 'ExpiredToken');
const ENDED = '2020-01-01T00:00:00Z';

test.each<[profile: string, cause: string, mend: string, responses?: Responses, sessionEnds?: string]>([
  ['region = x', 'profile: [work]', NOT_THERE],
  [`${ROLE}\nsource_profile = gone`, 'profile: [gone]', NOT_THERE],
  [
    `${ROLE}\nsource_profile = work2\n[profile work2]\n${ROLE}\nsource_profile = work`,
    'Detected a cycle',
    'work2',
  ],
  [`${ROLE}\ncredential_source = Other`, 'Unsupported credential source', 'expected EcsContainer or'],
  [`${ROLE}\ncredential_source = Environment`, NO_VARIABLE, BOTH_KEYS],
  [
    `${ROLE}\nmfa_serial = m\nsource_profile = base\n${BASE}`,
    'requires multi-factor',
    'run: eval "$(aws configure ',
  ],
  [
    `${ROLE}\nsource_profile = base\n${BASE}`,
    'AccessDenied',
    NO_ROLE,
    refused('AssumeRole', 'AccessDenied', NOT_ALLOWED),
  ],
  [LOCKED, 'locked', PROCESS],
  ['credential_process = echo', 'returned invalid JSON', PROCESS],
  [SSO, 'UnauthorizedException', 'the session has ended: aws sso login', ofSso('UnauthorizedException')],
  [SSO, 'ForbiddenException', 'check sso_account_id and sso_role_name', ofSso('ForbiddenException')],
  [SSO, 'SSO Token', "run 'aws sso login'", {}, ENDED],
  ['sso_session = gone', "'sso_region'", 'the sso_session of the profile is not in the config file'],
  ['sso_start_url = https://c', 'invalid SSO credentials', 'Required parameters "sso_account_id"'],
  ['login_session = arn:none', 'Failed to load token', 'run aws login'],
  [
    'login_session = arn:ended',
    'AccessDeniedException',
    're-authenticate using `aws login`',
    refused('CreateOAuth2Token', 'AccessDeniedException'),
  ],
  [
    'aws_access_key_id = a\naws_secret_access_key = b',
    'ExpiredToken',
    'renew the credentials of the profile',
    EXPIRED,
  ],
  [`${ROLE}\nweb_identity_token_file = ${NO_FILE}`, 'ENOENT', 'or web_identity_token_file of the profile'],
])(
  'the failure of a profile is told by its cause, and what mends it: %j',
  (profile, cause, mend, responses, sessionEnds) => {
    const files = awsHome(`[profile work]\n${profile}`, sessionEnds);
    return expectTold(cause, mend, files, { AWS_PROFILE: 'work' }, responses);
  },
);

const RENEW = 'replace or unset AWS_ACCESS_KEY_ID';
const NO_KEY = refused('GetCallerIdentity', 'InvalidClientTokenId');
const WRONG_CLOCK = refused('GetCallerIdentity', 'SignatureDoesNotMatch');
const OLD_TOKEN = refused('AssumeRoleWithWebIdentity', 'ExpiredTokenException', 'Token expired: yesterday');
const NOT_BY_WEB = 'Not authorized to perform sts:AssumeRoleWithWebIdentity';
const CONTAINER = { AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://example.com' };
test.each<[env: NodeJS.ProcessEnv, cause: string, mend: string, responses?: Responses, config?: string]>([
  [{}, 'Could not load credentials', 'there are none: set AWS_PROFILE, or make a profile'],
  [{}, 'locked', PROCESS, {}, `[default]\n${LOCKED}`],
  [{ AWS_ACCESS_KEY_ID: 'a' }, NO_VARIABLE, BOTH_KEYS],
  // A mistyped name must not lead to another source.
  [{ AWS_PROFILE: 'typo', ...web('TOKEN') }, 'profile: [typo]', NOT_THERE, {}, BASE],
  [KEYS, 'ExpiredToken', RENEW, EXPIRED],
  [KEYS, 'InvalidClientTokenId', RENEW, NO_KEY],
  [KEYS, 'SignatureDoesNotMatch', 'check the secret access key, and the clock', WRONG_CLOCK],
  [web(NO_FILE), 'ENOENT', 'check AWS_WEB_IDENTITY_TOKEN_FILE'],
  [web('TOKEN'), 'Token expired', 'the web identity token file needs a new token', OLD_TOKEN],
  [web('TOKEN'), 'AccessDenied', NO_ROLE, refused('AssumeRoleWithWebIdentity', 'AccessDenied', NOT_BY_WEB)],
  [CONTAINER, 'Could not load', 'the address in AWS_CONTAINER_CREDENTIALS_FULL_URI'],
])(
  'the failure of the environment is told by its cause, and what mends it: %j',
  (env, cause, mend, responses, config = '') => expectTold(cause, mend, awsHome(config), env, responses),
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
      { ...BOTH, ...awsHome(BASE) },
    );
    expect([...used]).toEqual(['KEYS']);
    expect(warn).not.toHaveBeenCalled();
  },
);

const CDK = path.join(PACKAGES, '.bin/cdk');
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
    const files = awsHome(BASE);
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
        GetAccount: ok({}),
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
