/** Settings of people: the provider that they may sign in to the console with, and the first account. */

import type { OpenIdConfig } from "#platform/secrets/openid.ts";
import { parseIssuer } from "./oauth.ts";
import { ConfigError } from "./values.ts";

export const PEOPLE_SETTINGS = {
  oidc_issuer: {
    about: "OpenID Connect provider for console sign-in",
    value: "URL",
    fallback: null,
  },
  oidc_client_id: { about: "Client id at that provider", value: "ID", fallback: null },
  oidc_client_secret: { about: "Client secret", value: "SECRET", fallback: null, secret: true },
  oidc_name: {
    about: "Provider name on the sign-in button",
    value: "NAME",
    fallback: "single sign-on",
  },
  admin_email: {
    about: "Email of the first account, created if there is none; set its password too",
    value: "EMAIL",
    fallback: null,
  },
  admin_password: {
    about: "Password of the first account",
    value: "TEXT",
    fallback: null,
    secret: true,
  },
} as const;

type Read = <Value>(
  name: keyof typeof PEOPLE_SETTINGS,
  parse: (text: string) => Value,
) => Value | null;

/** What is set of the provider; it is used where it is whole. */
export interface SignOnConfig {
  issuer: string | null;
  clientId: string | null;
  /** Null: a client without one, which PKCE alone protects. */
  clientSecret: string | null;
  /** As the button names it. */
  name: string;
}

export function readSignOn(read: Read): SignOnConfig {
  return {
    issuer: read("oidc_issuer", parseIssuer),
    clientId: read("oidc_client_id", String),
    clientSecret: read("oidc_client_secret", String),
    name: read("oidc_name", parseName) ?? PEOPLE_SETTINGS.oidc_name.fallback,
  };
}

/** Null where no provider is set. Throws {@link ConfigError} for one that lacks what it takes. */
export function providerOf(config: {
  signOn: SignOnConfig;
  publicUrl: string | null;
}): OpenIdConfig | null {
  const { issuer, clientId, ...others } = config.signOn;
  if (issuer === null) {
    return null;
  }
  if (clientId === null || config.publicUrl === null) {
    const missing = clientId === null ? "oidc_client_id" : "public_url";
    throw new ConfigError(`oidc_issuer also needs ${missing}`);
  }
  return { issuer, clientId, ...others };
}

const NAME_CHARS_MAX = 40;

function parseName(text: string): string {
  if (text.length > NAME_CHARS_MAX || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) {
    throw new ConfigError(`must be at most ${NAME_CHARS_MAX} characters, on one line`);
  }
  return text;
}
