/** The longest JSON Web Token, in characters. The gateway takes 10,240 bytes of headers. */
export const MAX_JSON_WEB_TOKEN = 8_192;

/** How far the clocks of this machine and of the identity provider may differ, in seconds. */
export const CLOCK_TOLERANCE_S = 60;

/** The longest name of a client in one, in characters. A Kubernetes service account or a role of AWS may have over 128. */
export const MAX_CLIENT_NAME = 256;

/**
 * For how long an identity provider's keys are not loaded again, in milliseconds: a token that fits none of them, which anybody can
 * send, must not cost the provider two requests each time.
 */
export const KEY_SET_INTERVAL_MS = 30_000;

/** How old an identity provider's keys are when a request has them loaded again, and does not wait for that, in milliseconds. */
export const KEY_SET_REFRESH_MS = 300_000;

/**
 * How old they may be, in milliseconds: for how long a key that the provider has taken back is accepted, and for how long an outage
 * of the provider keeps nobody out.
 */
export const MAX_KEY_SET_AGE_MS = 3_600_000;

/** How long the keys are not asked for again after an attempt that failed: longer than one takes, and not longer than clients wait before they retry. */
export const NO_KEY_SET_MS = 2_000;

/** The largest key set, in bytes. Those of Entra ID, with a certificate for each key, have about 20 KB. */
export const MAX_KEY_SET_BYTES = 262_144;
