/** Single sign-on: an OpenID provider that says who somebody is. The real one is `platform/secrets/openid.ts`. */

/** What a sign-on in progress is known by; the browser keeps it, sealed, until it is back. */
export interface SignOnSecrets {
  /** Comes back in the answer's address. */
  state: string;
  /** Comes back in the ID token. */
  nonce: string;
  /** Proves that the code is traded by who asked for it (PKCE). */
  verifier: string;
}

/** Who a provider says that somebody is. */
export interface Claims {
  /** The provider and its name for this person: together they never change and name nobody else. */
  issuer: string;
  subject: string;
  email: string | null;
  /** The provider says that the address is this person's. */
  isVerified: boolean;
  name: string | null;
}

export type SignOnStart =
  | { kind: "away"; url: string; secrets: SignOnSecrets }
  | { kind: "unreachable"; reason: string };

export type SignOnEnd =
  | { kind: "known"; claims: Claims }
  /** The person or the provider said no, or the answer was not for this sign-on. */
  | { kind: "refused"; reason: string }
  | { kind: "unreachable"; reason: string };

export interface SignOn {
  /** As the button names it. */
  readonly name: string;
  /** Never rejects. */
  start(redirectUri: string): Promise<SignOnStart>;
  /** `answer` is the address that the provider sent the browser back to. Never rejects. */
  finish(answer: URL, secrets: SignOnSecrets): Promise<SignOnEnd>;
}
