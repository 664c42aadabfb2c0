import { PlainError } from '../../cli/plain-error.ts';
import type { Stage } from '../../infra/stage-settings.ts';

/** Time limits in milliseconds: none of the SDK's own limits would end a call that hangs. */
const LIMITS = { connectionTimeout: 5_000, requestTimeout: 10_000, throwOnRequestTimeout: true };
/** The SDK's own agents use no proxy (cli/proxy.ts). */
const PROXY = { httpAgent: { proxyEnv: process.env }, httpsAgent: { proxyEnv: process.env } };
const requestHandler = { ...LIMITS, ...PROXY };

/** The settings of an AWS client for a stage: in its Region, or else in that of the environment, as for version 2 of the AWS CLI. */
export function clientSettings({ region }: Pick<Stage, 'region'>) {
  const { AWS_REGION, AWS_DEFAULT_REGION } = process.env;
  return {
    region: region ?? (AWS_REGION || AWS_DEFAULT_REGION || undefined),
    requestHandler,
    // For the client of a profile with SSO, which gets nothing else (aws-sdk-js-v3, issue 6687).
    clientConfig: { requestHandler },
  };
}

export type ClientSettings = ReturnType<typeof clientSettings>;

/** An error of an AWS call in one line: its name, which is the code that AWS documents, and its message. */
export function explain(error: unknown): string {
  const { name, message, code } = error as NodeJS.ErrnoException;
  // The error for several refused connections has no message.
  const text = (message || code || 'unknown error').replace(/\s+/g, ' ').trim();
  return /^(Error|PlainError|AggregateError)$/.test(name) ? text : `${name}: ${text}`;
}

/** What to do where the SDK only says what is missing or wrong: its message, and the command or the variable. */
const MENDS: readonly [message: RegExp, mend: string][] = [
  [/Region is missing/, 'set AWS_REGION'],
  [/Could not load credentials/, 'set them as for the AWS CLI: aws configure, or aws sso login'],
  [
    /requires multi-factor authentication/,
    'run: eval "$(aws configure export-credentials --format env)" && unset AWS_PROFILE',
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
    const text = explain(error);
    const mend = MENDS.find(([pattern]) => pattern.test(text))?.[1];
    throw new PlainError(`${what}: ${mend === undefined ? text : `${text.replace(/\.$/, '')}; ${mend}.`}`);
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
