/** Time limits of a client of AWS or of a store, in milliseconds: none of the SDK's own limits would end a call that hangs. */
export const TIME_LIMITS = { connectionTimeout: 5_000, requestTimeout: 10_000, throwOnRequestTimeout: true };

/**
 * Where a shell has credentials for AWS, in the order of the AWS CLI and of the CDK: keys go before a profile. The SDK would take the
 * profile, and then a check could look at another account than the change.
 * @param env the shell's environment
 * @returns whether it has keys, and the profile that it names, which then still has the Region
 */
export function awsSource(env: NodeJS.ProcessEnv): { hasKeys: boolean; profile: string | undefined } {
  const { AWS_ACCESS_KEY_ID, AWS_PROFILE, AWS_DEFAULT_PROFILE } = env;
  return { hasKeys: Boolean(AWS_ACCESS_KEY_ID), profile: AWS_PROFILE || AWS_DEFAULT_PROFILE || undefined };
}
