/** What the trial needs of a provider. Every token is a whole JSON Web Token, as the provider issued it. */
export interface Provider {
  /** Its name on the page, which marks its code blocks. */
  readonly name: string;
  /** Its version, as the page names it. */
  readonly version: string;
  /** Replaces what the page has in place of real addresses. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Gets an access token by the page's own steps. @throws Error if the provider refuses */
  readonly grant: () => Promise<string>;
  /** A token of a client for which the step that gives the audience was left out. */
  readonly withoutAudience: () => Promise<string>;
  /** A token of a client for which the step that gives the scope was left out. */
  readonly withoutScope: () => Promise<string>;
  /** What refuses its ID tokens: some have nothing that an access token cannot have, and only lack the scope. */
  readonly idTokenFault: 'wrong typ' | 'wrong scope';
  /** The ID token of a user's login. */
  readonly idToken: () => Promise<string>;
  /** An access token that is valid for a second. */
  readonly shortLived: () => Promise<string>;
  /** Makes a new signing key, and removes the one of before. */
  readonly rotate: () => Promise<void>;
  /** Replaces the signing key by another one with the same kid; absent if the provider never does that. */
  readonly replaceUnderSameKid?: () => Promise<void>;
  /** Disables or deletes the client. */
  readonly disable: () => Promise<void>;
  /** Ends the server. */
  readonly end: () => Promise<void>;
}
