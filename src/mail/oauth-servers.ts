/**
 * The authorization servers that mailboxes may use: Google's and Microsoft's, known by heart, or any other
 * that says where its endpoints are.
 *
 * Source: the providers' documentation of OAuth 2.0 for IMAP and SMTP; RFC 8414 and OpenID Connect
 * Discovery for the others; RFC 9207 for `iss`.
 */

import type { Provider } from "#domain/mailbox.ts";
import { MINUTE_MS, plus, SECOND_MS, type UnixMs } from "#domain/time.ts";
import type { Clock } from "#runtime/clock.ts";
import type {
  AuthorizationServer,
  CodeExchange,
  GrantOutcome,
  OauthClient,
  OauthPort,
  ServerOutcome,
} from "#runtime/ports/oauth.ts";
import { reasonOf } from "./server-text.ts";
import { askForToken, jsonObject, loginsOf, readBounded } from "./token-endpoint.ts";

/** What the operator has set for one provider. */
export interface OauthSettings {
  /** Null: accounts bring their own client. */
  clientId: string | null;
  /** Null: the client has none. */
  clientSecret: string | null;
  /** Base address of another authorization server; null: the provider's own. */
  issuer: string | null;
  /** Null: the provider's usual one. */
  scope: string | null;
}
export type OauthConfig = Partial<Record<Provider, OauthSettings>>;

export const DISCOVERY_MS_MAX = 10_000;
/** What a server says of itself is asked again after this long, failures sooner. */
const DISCOVERED_FOR_MS = 60 * MINUTE_MS;
const FAILED_FOR_MS = 30 * SECOND_MS;

const KNOWN: Partial<Record<Provider, AuthorizationServer>> = {
  google: {
    authorizeUrl: "https://accounts.google.com/o/oauth2/v2/auth",
    tokenUrl: "https://oauth2.googleapis.com/token",
    scope: "https://mail.google.com/ openid email",
    // Without them, a second consent gives no refresh token.
    parameters: { access_type: "offline", prompt: "consent" },
    issuer: "https://accounts.google.com",
  },
  microsoft: {
    authorizeUrl: "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
    tokenUrl: "https://login.microsoftonline.com/common/oauth2/v2.0/token",
    scope:
      "offline_access openid email https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send",
    parameters: { prompt: "select_account" },
    // Each tenant is an issuer of its own.
    issuer: null,
  },
};

/** What is asked for where nobody says. */
const SCOPE_DEFAULT = "openid email offline_access";

export function createOauth(config: OauthConfig, clock: Clock): OauthPort {
  const discovered = new Map<Provider, { outcome: Promise<ServerOutcome>; until: UnixMs }>();

  const server = async (provider: Provider): Promise<ServerOutcome> => {
    const { issuer = null, scope = null } = config[provider] ?? {};
    const known = KNOWN[provider];
    if (issuer === null) {
      return known === undefined
        ? { kind: "none", reason: `no OAuth login is known for ${provider}` }
        : { kind: "known", server: { ...known, scope: scope ?? known.scope } };
    }
    const kept = discovered.get(provider);
    if (kept !== undefined && clock.now() < kept.until) {
      return await kept.outcome;
    }
    const outcome = discover(issuer, scope ?? known?.scope ?? SCOPE_DEFAULT);
    const entry = { outcome, until: plus(clock.now(), DISCOVERED_FOR_MS) };
    discovered.set(provider, entry);
    if ((await outcome).kind !== "known") {
      entry.until = plus(clock.now(), FAILED_FOR_MS);
    }
    return await outcome;
  };

  return {
    knows: (provider) =>
      KNOWN[provider] !== undefined || (config[provider]?.issuer ?? null) !== null,
    client: (provider) => clientOf(config[provider]),
    server,
    exchange: async (provider, request) => {
      const found = await server(provider);
      if (found.kind !== "known") {
        return { kind: found.kind === "none" ? "refused" : "unreachable", reason: found.reason };
      }
      return await exchange(found.server, request, clock);
    },
  };
}

function clientOf(settings: OauthSettings | undefined): OauthClient | null {
  const { clientId = null, clientSecret = null } = settings ?? {};
  return clientId === null ? null : { clientId, clientSecret: clientSecret ?? "" };
}

const WELL_KNOWN = ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"];

/** Asks the server where its endpoints are. */
async function discover(issuer: string, scope: string): Promise<ServerOutcome> {
  let reason = "";
  for (const path of WELL_KNOWN) {
    try {
      const response = await fetch(issuer.replace(/\/$/, "") + path, {
        headers: { accept: "application/json" },
        redirect: "error",
        signal: AbortSignal.timeout(DISCOVERY_MS_MAX),
      });
      const body = jsonObject(await readBounded(response));
      const [authorizeUrl, tokenUrl] = [body["authorization_endpoint"], body["token_endpoint"]];
      if (response.ok && isSafeUrl(authorizeUrl) && isSafeUrl(tokenUrl)) {
        const says = body["authorization_response_iss_parameter_supported"] === true;
        const named = typeof body["issuer"] === "string" ? body["issuer"] : null;
        const parameters = { prompt: "consent" };
        const server = { authorizeUrl, tokenUrl, scope, parameters, issuer: says ? named : null };
        return { kind: "known", server };
      }
      reason = `${issuer} does not say where its endpoints are (status ${response.status})`;
    } catch (error) {
      reason = `${issuer}: ${reasonOf(error)}`;
    }
  }
  return { kind: "unreachable", reason };
}

/** Secrets go there: https, or this machine itself. */
function isSafeUrl(value: unknown): value is string {
  const url = typeof value === "string" ? URL.parse(value) : null;
  const isLocal = url !== null && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  return url?.protocol === "https:" || (url?.protocol === "http:" && isLocal);
}

async function exchange(
  server: AuthorizationServer,
  { client, code, verifier, redirectUri }: CodeExchange,
  clock: Clock,
): Promise<GrantOutcome> {
  const answer = await askForToken(server.tokenUrl, {
    grant_type: "authorization_code",
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
    client_id: client.clientId,
    client_secret: client.clientSecret,
  });
  if (answer.kind !== "granted") {
    return answer;
  }
  const { token, lifeSeconds, refreshToken, idToken } = answer;
  if (refreshToken === null) {
    return {
      kind: "refused",
      reason: "the provider gave no lasting permission (no refresh token)",
    };
  }
  const expiresAt = plus(clock.now(), lifeSeconds * SECOND_MS);
  const logins = loginsOf(idToken, client.clientId);
  return { kind: "granted", grant: { refreshToken, access: { token, expiresAt }, logins } };
}
