import type { Stage } from '../../infra/stage-settings.ts';
import { IDENTITY_PROVIDER } from './identity-provider-setting.ts';

// The tests' own stages, so that no test depends on the stages of the stage file.

/** An unprotected stage. */
export const UNPROTECTED: Stage = {
  name: 'trial',
  isProtected: false,
  throttle: { rate: 20, burst: 40 },
  tableCeiling: { reads: 100, writes: 500 },
  logDays: 7,
  aboveNormal: { refusals: 900, refusedTokens: 20, throttled: 20, duration: 400 },
};

/** A protected stage with a canary. */
export const PROTECTED: Stage = {
  name: 'production',
  isProtected: true,
  canaryMinutes: 10,
  throttle: { rate: 500, burst: 1_000 },
  logDays: 90,
  aboveNormal: { refusals: 6_000, refusedTokens: 100, throttled: 50, duration: 500 },
};

/** A stage with every option but those of {@link PRIVATE}, which a domain excludes, or which need another team. */
export const EVERYTHING = {
  name: 'everything',
  account: '111122223333',
  region: 'eu-west-1',
  isProtected: true,
  canaryMinutes: 30,
  throttle: { rate: 700, burst: 900 },
  tableCeiling: { reads: 300, writes: 600 },
  logDays: 365,
  aboveNormal: { refusals: 1_100, refusedTokens: 70, throttled: 80, duration: 600 },
  concurrency: 50,
  plain: true,
  keyArn: 'arn:aws:kms:eu-west-1:111122223333:key/11112222-3333-4444-5555-666677778888',
  alarmEmail: 'operators@example.com',
  pagerTopicArn: 'arn:aws:sns:eu-west-1:111122223333:Pager',
  expectsPlants: { minutes: 90 },
  domain: {
    name: 'plants.example.com',
    certificateArn: 'arn:aws:acm:eu-west-1:111122223333:certificate/11112222-3333-4444-5555-666677778888',
    zone: { id: 'Z0123456789', name: 'example.com' },
  },
  firewall: { requests: 500 },
  allowedOrigins: ['https://app.example.com', 'http://localhost:5173'],
  identityProvider: IDENTITY_PROVIDER,
} satisfies Stage;

/** A private API, whose log role another team keeps. */
export const PRIVATE = {
  ...PROTECTED,
  name: 'private',
  hasGatewayRole: true,
  vpcEndpoints: ['vpce-0123456789abcdef0', 'vpce-1123456789abcdef0'],
} satisfies Stage;

/** {@link PROTECTED} by the name that commands are given. */
export const PROD: Stage = { ...PROTECTED, name: 'prod' };
