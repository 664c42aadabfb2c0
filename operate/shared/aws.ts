import type { STSClientConfig } from '@aws-sdk/client-sts';
import { fromEnv } from '@aws-sdk/credential-provider-env';
import { fromIni } from '@aws-sdk/credential-provider-ini';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { awsSource, TIME_LIMITS } from '../../cli/aws-source.ts';
import { PlainError } from '../../cli/plain-error.ts';
import type { Stage } from '../../infra/stage-settings.ts';

/** The SDK's own agents use no proxy (cli/proxy.ts). */
const PROXY = { httpAgent: { proxyEnv: process.env }, httpsAgent: { proxyEnv: process.env } };
const requestHandler = { ...TIME_LIMITS, ...PROXY };
/** For the clients that get credentials, such as that of a profile with SSO, which get nothing else (aws-sdk-js-v3, issue 6687). */
const clientConfig = { requestHandler };

/**
 * The settings of an AWS client for a stage: in its Region, or else in that of the environment, as for version 2 of the AWS CLI.
 * @param profile whose credentials to use, whatever the environment says
 */
export function clientSettings({ region }: Pick<Stage, 'region'>, profile?: string) {
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  const source = awsSource(process.env);
  return {
    region: region ?? (AWS_REGION || AWS_DEFAULT_REGION || undefined),
    // For its Region.
    profile: source.profile,
    requestHandler,
    credentials: credentials(profile === undefined ? source : { hasKeys: false, profile }),
  };
}

export type ClientSettings = ReturnType<typeof clientSettings>;

/**
 * The credentials of one source. Where that fails, none other is asked: the SDK would hide the failure of a profile behind its last
 * source, or use the role of the machine in place of a profile whose name is mistyped.
 */
function credentials({ hasKeys, profile }: ReturnType<typeof awsSource>): STSClientConfig['credentials'] {
  if (hasKeys) return fromEnv();
  const ofProfile = fromIni({ ...(profile && { profile }), clientConfig });
  if (profile) return ofProfile;
  const ofOthers = defaultProvider({ clientConfig });
  return (caller) =>
    ofProfile(caller).catch((error) => {
      // The SDK has no code for it.
      const isEmpty = String(error.message).startsWith(
        'Could not resolve credentials using profile: [default]',
      );
      return isEmpty ? ofOthers(caller) : Promise.reject(error);
    });
}

/** An error of an AWS call in one line: its name, which is the code that AWS documents, its message, and what mends it, if known. */
export function explain(error: unknown): string {
  const { name, message, code } = error as NodeJS.ErrnoException;
  // It says so itself.
  if (error instanceof PlainError) return message;
  // The error for several refused connections has no message.
  const says = (message || code || 'unknown error').replace(/\s+/g, ' ').trim();
  const text = /^(Error|AggregateError)$/.test(name) ? says : `${name}: ${says}`;
  const facts = { name, message, code };
  const found = MENDS.find(([pattern, , of]) => pattern.test(facts[of ?? 'message'] ?? ''));
  if (!found) return text;
  const [, mend] = found;
  return `${text.replace(/\.$/, '')}; ${typeof mend === 'string' ? mend : mend(process.env)}.`;
}

const ofKeys = (env: NodeJS.ProcessEnv) =>
  awsSource(env).hasKeys
    ? 'replace or unset AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN'
    : 'renew the credentials of the profile';

/**
 * What to do where AWS or the SDK only says what is missing or wrong: the command or the variable. The first row holds that knows the
 * error. Where the SDK has no name or code of its own for a cause, its message is what tells it.
 */
const MENDS: readonly [
  pattern: RegExp,
  mend: string | ((env: NodeJS.ProcessEnv) => string),
  of?: 'name' | 'code',
][] = [
  [
    /^Region is missing/,
    (env) => {
      const { profile } = awsSource(env);
      return `set AWS_REGION${profile ? `, or check that the files of the AWS CLI have the profile ${profile}, with a region` : ''}`;
    },
  ],
  [
    /^Could not load credentials from any providers/,
    (env) =>
      env.AWS_CONTAINER_CREDENTIALS_FULL_URI || env.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI
        ? 'the address in AWS_CONTAINER_CREDENTIALS_FULL_URI or …_RELATIVE_URI gives none'
        : 'there are none: set AWS_PROFILE, or make a profile by aws configure sso or aws configure',
  ],
  [
    /^Unable to find environment variable credentials/,
    'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or neither',
  ],
  [
    /^Could not resolve credentials using profile/,
    'the files of the AWS CLI must have this profile, with credentials or their source',
  ],
  [
    /^Command failed:|credential_process returned/,
    'the credential_process of the profile has failed: run it by hand',
  ],
  [
    /requires multi-factor authentication/,
    'run: eval "$(aws configure export-credentials --format env)" && unset AWS_PROFILE',
  ],
  [
    /reading 'sso_region'/,
    'the sso_session of the profile is not in the config file of the AWS CLI: aws configure sso',
  ],
  [/^UnauthorizedException: /, 'the session has ended: aws sso login'],
  [/^ForbiddenException: /, 'check sso_account_id and sso_role_name of the profile'],
  [/^Failed to load token from|reauthenticate/, 'run aws login'],
  [/^ENOENT$/, 'check AWS_WEB_IDENTITY_TOKEN_FILE, or web_identity_token_file of the profile', 'code'],
  [/^Token expired: /, 'the web identity token file needs a new token'],
  [
    /not authorized to perform:? sts:AssumeRole/i,
    'check the ARN of the role, its trust policy, and your permission to assume it',
  ],
  [/^(ExpiredToken|ExpiredTokenException|RequestExpired)$/, ofKeys, 'name'],
  [
    /^(InvalidClientTokenId|UnrecognizedClientException)$/,
    (env) => `${ofKeys(env)}, if the account has enabled the Region`,
    'name',
  ],
  [
    /^(SignatureDoesNotMatch|InvalidSignatureException)$/,
    'check the secret access key, and the clock of this machine',
    'name',
  ],
  // AWS itself refuses no connection.
  [/Failed to establish tunnel|connect ECONNREFUSED/, 'check HTTPS_PROXY and NO_PROXY'],
  [
    /self-signed certificate|local issuer certificate/,
    'set NODE_EXTRA_CA_CERTS to the file of AWS_CA_BUNDLE',
  ],
];

/**
 * Turns the failure of an AWS call into an error for users.
 * @param what the start of the message, such as "Nothing was changed"
 */
export function failed(what: string): (error: unknown) => never {
  return (error) => {
    throw new PlainError(`${what}: ${explain(error)}`);
  };
}

/**
 * Whether a failed call has certainly changed nothing: its only attempt got a response, with an error of the caller. An attempt that
 * got no response may have taken effect, or still take it.
 */
export function wasRefused(error: unknown): boolean {
  const { $metadata = {} } = error as { $metadata?: { attempts?: number; httpStatusCode?: number } };
  const { attempts, httpStatusCode = 0 } = $metadata;
  return attempts === 1 && httpStatusCode >= 400 && httpStatusCode < 500;
}
