/**
 * The authorization servers that mailboxes may use: Google's and Microsoft's, known by heart, or any other
 * that says where its endpoints are.
 *
 * Source: the providers' documentation of OAuth 2.0 for IMAP and SMTP; RFC 8414 and OpenID Connect
 * Discovery for the others; RFC 9207 for `iss`.
 */

import type { Provider } from "#domain/mailboxes/mailbox.ts";
import { isAhead, MINUTE_MS, plus, SECOND_MS, type UnixMs } from "#domain/time.ts";
import { withoutSecrets } from "#mail/discreet.ts";
import { reasonOf } from "#mail/server-text.ts";
import type { Clock } from "#platform/clock.ts";
import type { Fetch } from "#platform/http/fetch.ts";
import type { Log } from "#platform/log.ts";
import type {
  AccessToken,
  AuthorizationServer,
  CodeExchange,
  GrantOutcome,
  OauthClient,
  OauthPort,
  RefreshOutcome,
  ServerOutcome,
  WorkspaceOutcome,
} from "#platform/ports/oauth.ts";
import {
  authentications,
  type ClientAuth,
  discover,
} from "#platform/secrets/authorization-server.ts";
import { OauthClients } from "./oauth-clients.ts";
import { askForToken, loginsOf, type TokenResponse } from "./token-endpoint.ts";
import { missingRoles, tokenUrlOf, workspaceFields, workspaceVerdict } from "./workspace-grants.ts";

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

/** What a server says of itself is asked again after this long, failures sooner. */
const DISCOVERED_FOR_MS = 60 * MINUTE_MS;
const FAILED_FOR_MS = 30 * SECOND_MS;

interface Server extends AuthorizationServer {
  tokenUrl: string;
  /** As it names them; undefined: it names none. */
  authentications: readonly string[] | undefined;
}
type Verdict = Exclude<TokenResponse, { kind: "client" }>;
type Found = { kind: "known"; server: Server } | Exclude<ServerOutcome, { kind: "known" }>;

const KNOWN: Partial<Record<Provider, Server>> = {
  google: {
    authorizeUrl: "https://accounts.google.com/o/oauth2/v2/auth",
    tokenUrl: "https://oauth2.googleapis.com/token",
    authentications: ["client_secret_post"],
    scope: "https://mail.google.com/ openid email",
    // Without them, a second consent gives no refresh token.
    parameters: { access_type: "offline", prompt: "consent" },
    issuer: "https://accounts.google.com",
    isAlwaysNamed: false,
  },
  microsoft: {
    authorizeUrl: "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
    tokenUrl: "https://login.microsoftonline.com/common/oauth2/v2.0/token",
    authentications: ["client_secret_post"],
    scope:
      "offline_access openid email https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send",
    parameters: { prompt: "select_account" },
    // Each tenant is an issuer of its own.
    issuer: null,
    isAlwaysNamed: false,
  },
};

/** What is asked for where nobody says. */
const SCOPE_DEFAULT = "openid email offline_access";

/** What is said of a client that is the operator's to fix; the server's words follow. */
const OPERATORS_CLIENT =
  "this installation's OAuth client is not accepted, which its operator has to fix";

export interface OauthParts {
  clock: Clock;
  fetch: Fetch;
  log: Log;
}

export function createOauth(config: OauthConfig, parts: OauthParts): OauthPort {
  const { clock, fetch } = parts;
  const clients = new OauthClients(clock, parts.log);
  const find = createFinder(config, parts);
  const operators = (provider: Provider) => clientOf(config[provider]);

  /** Asks with `fields`. */
  const ask = async (
    provider: Provider,
    client: OauthClient,
    fields: Readonly<Record<string, string>>,
  ): Promise<TokenResponse> => {
    const found = await find(provider);
    if (found.kind !== "known") {
      const { reason } = found;
      return found.kind === "none"
        ? { kind: "refused", reason }
        : { kind: "unreachable", reason, retryAfterMs: null };
    }
    const { tokenUrl: url, authentications: named } = found.server;
    const { clientId, clientSecret } = client;
    return await clients.ask(
      provider,
      client,
      authentications(clientSecret, named),
      (authentication) => {
        const question = { url, clientId, authentication, fields };
        return askForToken(question, { fetch, now: clock.now() });
      },
    );
  };

  /** As `ask`; tells the operator where the fault is in a client of the installation. */
  const askFor = async (
    provider: Provider,
    client: OauthClient,
    fields: Readonly<Record<string, string>>,
  ): Promise<Verdict> => {
    const own = operators(provider);
    const isSame = client.clientId === own?.clientId;
    // A client of an account's own always has a secret.
    const isSharedClient =
      client.clientSecret === "" || (isSame && client.clientSecret === own?.clientSecret);
    const answer =
      isSharedClient && !isSame ? replaced(client, own) : await ask(provider, client, fields);
    if (answer.kind !== "client") {
      if (isSharedClient && answer.kind !== "unreachable") {
        clients.recordAccepted(provider);
      }
      return answer;
    }
    const { code } = answer;
    const reason = withoutSecrets(answer.reason, secretsIn(client, fields));
    if (!isSharedClient) {
      return { kind: "refused", reason };
    }
    clients.recordFault(provider, client, { code, reason });
    const words = `${OPERATORS_CLIENT}: ${reason}`;
    return { kind: "unreachable", reason: words, retryAfterMs: null };
  };

  return {
    knows: (provider) =>
      KNOWN[provider] !== undefined || (config[provider]?.issuer ?? null) !== null,
    client: operators,
    server: find,
    exchange: async (provider, request) =>
      grantOf(await askFor(provider, request.client, fieldsOf(request)), request.client, clock),
    refresh: async (provider, client, refreshToken): Promise<RefreshOutcome> => {
      const fields = { grant_type: "refresh_token", refresh_token: refreshToken };
      const answer = await askFor(provider, client, fields);
      return answer.kind === "granted"
        ? { kind: "granted", access: accessIn(answer, clock), refreshToken: answer.refreshToken }
        : answer;
    },
    workspaceToken: workspaceAsker(find, clients, parts),
    clientFaults: () => clients.faults(),
  };
}

/** An assertion says all that there is to say of its client. */
const BY_ASSERTION: readonly ClientAuth[] = [() => undefined];

function workspaceAsker(
  find: (provider: Provider) => Promise<Found>,
  clients: OauthClients,
  { clock, fetch }: OauthParts,
): OauthPort["workspaceToken"] {
  return async (provider, grant, mailbox): Promise<WorkspaceOutcome> => {
    const found = await find(provider);
    if (found.kind !== "known") {
      return { kind: "unreachable", reason: found.reason };
    }
    const { clientId, clientSecret, tenant } = grant;
    const url = tokenUrlOf(found.server.tokenUrl, grant);
    const ways =
      tenant === null ? BY_ASSERTION : authentications(clientSecret, found.server.authentications);
    const answer = await clients.ask(provider, grant, ways, (authentication) => {
      const now = clock.now();
      const fields = workspaceFields(grant, { mailbox, audience: url, now });
      const question = { url, clientId, authentication, fields, verdict: workspaceVerdict };
      return askForToken(question, { fetch, now });
    });
    if (answer.kind === "unreachable") {
      return answer;
    }
    if (answer.kind !== "granted") {
      const reason = withoutSecrets(answer.reason, [clientSecret]);
      return { kind: answer.kind === "client" ? "revoked" : "refused", reason };
    }
    const missing = missingRoles(grant, answer.token);
    return missing.length === 0
      ? { kind: "granted", access: accessIn(answer, clock) }
      : { kind: "revoked", reason: `the consent lacks ${missing.join(" and ")}` };
  };
}

function clientOf(settings: OauthSettings | undefined): OauthClient | null {
  const { clientId = null, clientSecret = null } = settings ?? {};
  return clientId === null ? null : { clientId, clientSecret: clientSecret ?? "" };
}

/** A grant is its client's: another one of the operator's can do nothing with it. */
function replaced(
  { clientId }: OauthClient,
  own: OauthClient | null,
): Extract<TokenResponse, { kind: "client" }> {
  const now = own === null ? "none is set now" : `${own.clientId} is set now`;
  const remedy = "set the former one again, or have their owners connect them anew";
  const reason = `mailboxes were connected with the client ${clientId}, and ${now}; ${remedy}`;
  return { kind: "client", code: "replaced", reason };
}

function secretsIn(client: OauthClient, fields: Readonly<Record<string, string>>): string[] {
  const { refresh_token = "", code = "", code_verifier = "" } = fields;
  return [client.clientSecret, refresh_token, code, code_verifier];
}

/** Returns what is known of a provider's server; asks the server itself where only its name is set. */
function createFinder(
  config: OauthConfig,
  { clock, fetch }: OauthParts,
): (provider: Provider) => Promise<Found> {
  const discovered = new Map<Provider, { outcome: Promise<Found>; until: UnixMs; ms: number }>();
  return async (provider) => {
    const { issuer = null, scope = null } = config[provider] ?? {};
    const known = KNOWN[provider];
    if (issuer === null) {
      return known === undefined
        ? { kind: "none", reason: `no OAuth login is known for ${provider}` }
        : { kind: "known", server: { ...known, scope: scope ?? known.scope } };
    }
    const kept = discovered.get(provider);
    if (kept !== undefined && isAhead(kept.until, clock.now(), kept.ms)) {
      return await kept.outcome;
    }
    const outcome = describe(fetch, issuer, scope ?? known?.scope ?? SCOPE_DEFAULT);
    const entry = { outcome, until: plus(clock.now(), DISCOVERED_FOR_MS), ms: DISCOVERED_FOR_MS };
    discovered.set(provider, entry);
    if ((await outcome).kind !== "known") {
      Object.assign(entry, { until: plus(clock.now(), FAILED_FOR_MS), ms: FAILED_FOR_MS });
    }
    return await outcome;
  };
}

/** Asks the server where its endpoints are. */
async function describe(fetch: Fetch, issuer: string, scope: string): Promise<Found> {
  try {
    // Its description is the same for every client.
    const told = (await discover(fetch, { issuer, clientId: "outrider" })).serverMetadata();
    const { authorization_endpoint: authorizeUrl, token_endpoint: tokenUrl } = told;
    if (!isSafeUrl(authorizeUrl) || !isSafeUrl(tokenUrl)) {
      return { kind: "unreachable", reason: `${issuer} does not say where its endpoints are` };
    }
    const server: Server = {
      ...{ authorizeUrl, tokenUrl, scope, parameters: { prompt: "consent" } },
      // Microsoft's description for all tenants names a pattern.
      issuer: told.issuer.includes("{") ? null : told.issuer,
      isAlwaysNamed: told.authorization_response_iss_parameter_supported === true,
      authentications: told.token_endpoint_auth_methods_supported,
    };
    return { kind: "known", server };
  } catch (error) {
    return { kind: "unreachable", reason: `${issuer}: ${reasonOf(error)}` };
  }
}

/** Secrets go there: https, or this machine itself. */
function isSafeUrl(value: unknown): value is string {
  const url = typeof value === "string" ? URL.parse(value) : null;
  const isLocal = url !== null && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  return url?.protocol === "https:" || (url?.protocol === "http:" && isLocal);
}

function fieldsOf({ code, verifier, redirectUri }: CodeExchange): Record<string, string> {
  return {
    grant_type: "authorization_code",
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
  };
}

function accessIn(
  { token, lifeSeconds }: Extract<TokenResponse, { kind: "granted" }>,
  clock: Clock,
): AccessToken {
  return { token, expiresAt: plus(clock.now(), lifeSeconds * SECOND_MS) };
}

function grantOf(answer: Verdict, { clientId }: OauthClient, clock: Clock): GrantOutcome {
  if (answer.kind !== "granted") {
    return answer;
  }
  const { refreshToken, idToken } = answer;
  if (refreshToken === null) {
    return {
      kind: "refused",
      reason: "the provider gave no lasting permission (no refresh token)",
    };
  }
  const logins = loginsOf(idToken, clientId);
  return { kind: "granted", grant: { refreshToken, access: accessIn(answer, clock), logins } };
}
