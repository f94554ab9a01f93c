/**
 * Settings of OAuth logins: the operator's own client at each provider, and other authorization servers in
 * place of the providers' own. `smtp` stands for every mailbox that is neither Google's nor Microsoft's.
 */

import type { OauthConfig, OauthSettings } from "#mail/oauth/oauth-servers.ts";
import { isLoopback } from "#platform/http/guard.ts";
import { ConfigError } from "./values.ts";

const SECRET = { value: "SECRET", fallback: null, secret: true } as const;
const ID = { value: "ID", fallback: null } as const;
const URL_VALUE = { value: "URL", fallback: null } as const;

export const OAUTH_SETTINGS = {
  oauth_google_client_id: { about: "Google OAuth client id", ...ID },
  oauth_google_client_secret: { about: "Client secret", ...SECRET },
  oauth_google_issuer: {
    about: "Authorization server for google accounts, instead of Google's",
    ...URL_VALUE,
  },
  oauth_microsoft_client_id: { about: "Microsoft OAuth client id", ...ID },
  oauth_microsoft_client_secret: { about: "Client secret", ...SECRET },
  oauth_microsoft_issuer: {
    about: "Authorization server for microsoft accounts, such as a tenant's",
    ...URL_VALUE,
  },
  oauth_smtp_client_id: { about: "OAuth client id for smtp accounts", ...ID },
  oauth_smtp_client_secret: { about: "Client secret", ...SECRET },
  oauth_smtp_issuer: { about: "Authorization server for smtp accounts", ...URL_VALUE },
  oauth_smtp_scope: { about: "OAuth scopes for smtp accounts", value: "SCOPES", fallback: null },
} as const;
type OauthSettingName = keyof typeof OAUTH_SETTINGS;

/** `read` answers the text of a setting, null where it is not set. Throws {@link ConfigError}. */
export function readOauth(
  read: <Value>(name: OauthSettingName, parse: (text: string) => Value) => Value | null,
): OauthConfig {
  const settings = (
    provider: "google" | "microsoft" | "smtp",
    scope: string | null,
  ): OauthSettings => {
    return {
      clientId: read(`oauth_${provider}_client_id`, String),
      clientSecret: read(`oauth_${provider}_client_secret`, String),
      issuer: read(`oauth_${provider}_issuer`, parseIssuer),
      scope,
    };
  };
  return {
    google: settings("google", null),
    microsoft: settings("microsoft", null),
    smtp: settings("smtp", read("oauth_smtp_scope", String)),
  };
}

/**
 * The issuer of a server that client secrets go to, as it names itself: another one, also by a slash below
 * the root, is refused when it is asked. Throws {@link ConfigError}.
 */
export function parseIssuer(text: string): string {
  const url = URL.parse(text);
  const host = url?.hostname.replace(/^\[|\]$/g, "") ?? "";
  const isLocal = url?.protocol === "http:" && (host === "localhost" || isLoopback(host));
  if (url === null || !(url.protocol === "https:" || isLocal) || url.search !== "") {
    throw new ConfigError(`must be a URL like https://login.example.com, not "${text}"`);
  }
  if (url.pathname.includes("/.well-known/")) {
    const issuer = text.slice(0, text.indexOf("/.well-known/"));
    throw new ConfigError(
      `must be the issuer itself, such as ${issuer}, not its discovery document`,
    );
  }
  return url.href;
}
