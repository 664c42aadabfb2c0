/** Loaded by `npm start`, too, only if it is given a provider, because zod takes a tenth of a second. */
import * as z from 'zod';
import { isOpen } from './identity-provider.ts';

/**
 * Issuers from which anybody in the world gets a token for any audience, and which know no scope: the job of any repository,
 * workspace or organization, or any account (GitHub Docs, "OpenID Connect reference"; GitLab Docs, "OpenID Connect (OIDC)
 * Authentication Using ID Tokens"; Google Cloud, "Get an ID token"; Buildkite, "OIDC with Buildkite Agent"; HCP Terraform,
 * "Workload identity tokens").
 */
const OPEN_TO_ALL = [
  'https://token.actions.githubusercontent.com',
  'https://gitlab.com',
  'https://accounts.google.com',
  'https://agent.buildkite.com',
  'https://app.terraform.io',
];

/** A variable of the function has it as JSON, and all variables together may have 4 KB (AWS Lambda quotas). */
const MOST_CHARACTERS = 3_000;

/** An https address without user, password, query and fragment. */
const ISSUER = /^https:\/\/[^\s?#@/]+(\/[^\s?#]*)?$/;
/** The same, and http on this machine. */
const LOCAL_ISSUER = /^(https:\/\/[^\s?#@/]+|http:\/\/(127\.0\.0\.1|localhost)(:\d+)?)(\/[^\s?#]*)?$/;

/** A text that a client or a provider compares character by character: a space at its end is a mistake. */
const exact = z
  .string()
  .regex(/^\S(.*\S)?$/, 'Invalid text; it must not be empty, nor begin or end with a space');
const oneOrMore = (one: z.ZodString) => z.union([one, z.array(one).min(1)]);

/** The setting, as each provider has it. @param issuer what its address must be */
const settingOf = (issuer: RegExp, problem: string) =>
  z
    .strictObject({
      issuer: z
        .string()
        .regex(issuer, problem)
        .refine(URL.canParse, problem)
        .meta({ examples: ['https://login.example.com/a'] }),
      audience: oneOrMore(exact),
      // RFC 6749 §A.4, one.
      scope: z
        .string()
        .regex(/^[!#-[\]-~]+$/, 'Invalid scope; it must be one')
        .optional(),
      allowedClients: z
        .array(
          exact.regex(/^[ -~]{1,256}$/, 'Invalid name; it must have 1 to 256 printable ASCII characters'),
        )
        .min(1)
        .optional(),
      nameClaim: oneOrMore(exact).optional(),
      tokenType: z.literal('at+jwt').optional(),
      ownTokens: z.literal(false).optional(),
    })
    .refine((provider) => !OPEN_TO_ALL.includes(provider.issuer) || !isOpen(provider), {
      path: ['allowedClients'],
      error: 'Needed, or scope, because anybody in the world can get a token of this issuer',
    })
    .refine((provider) => JSON.stringify(provider).length <= MOST_CHARACTERS, {
      error: `Too long: at most ${MOST_CHARACTERS} characters as JSON`,
    });

/** The setting of a stage. */
export const identityProvider = settingOf(ISSUER, 'Invalid issuer; it must be an https address')
  .optional()
  .meta({
    description:
      "A company's identity provider, whose JSON Web Tokens are accepted beside our own: its `iss`; one or more values of `aud`, or of " +
      '`client_id` where there is no `aud`; a scope or role that is needed; the names of the only clients that may create plants; the ' +
      'claim that names the client in the log, by default the first of `client_id`, `azp` and `sub`, or a list of names that leads to a ' +
      'nested one; whether `typ` of the header must be `at+jwt`; and `ownTokens: false`, if there are to be [no others](identity-provider.md#only-the-providers-tokens). Without `scope` and `allowedClients`, every client that gets a token for ' +
      'the audience may create plants. [The steps](identity-provider.md)',
    absent: 'only our own tokens',
  });

/** The same of `npm start`. */
export const localIdentityProvider = settingOf(
  LOCAL_ISSUER,
  'Invalid issuer; it must be an https address; http is only for 127.0.0.1 and localhost',
);
