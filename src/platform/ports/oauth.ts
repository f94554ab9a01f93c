/**
 * Authorization servers of mailboxes: where a person consents, and how that consent becomes a login. The
 * real ones are `mail/oauth/oauth-servers.ts`; the sandbox has one that says yes to everybody.
 */

import type { Provider } from "#domain/mailboxes/mailbox.ts";
import type { UnixMs } from "#domain/time.ts";

export interface AuthorizationServer {
  /** Where the browser is sent. */
  authorizeUrl: string;
  /** Space-separated. */
  scope: string;
  /** Further parameters of the request that the provider wants, for example `prompt`. */
  parameters: Readonly<Record<string, string>>;
  /** As it names itself in `iss` of its answers (RFC 9207), where it does; null: not known. */
  issuer: string | null;
  /** It declares that every answer names it. */
  isAlwaysNamed: boolean;
}

export type ServerOutcome =
  | { kind: "known"; server: AuthorizationServer }
  /** Nothing is set up for this provider. */
  | { kind: "none"; reason: string }
  | { kind: "unreachable"; reason: string };

/** `clientSecret` is empty for a client without one. */
export interface OauthClient {
  clientId: string;
  clientSecret: string;
}

/** An access token and when it ends. */
export interface AccessToken {
  token: string;
  expiresAt: UnixMs;
}

export interface Grant {
  refreshToken: string;
  access: AccessToken;
  /** Names under which the server says that somebody logged in, in lower case; may be none. */
  logins: readonly string[];
}

export type GrantOutcome =
  | { kind: "granted"; grant: Grant }
  /** The code or the client is no good, or the answer holds no lasting permission. */
  | { kind: "refused"; reason: string }
  | { kind: "unreachable"; reason: string };

/** What is traded for a grant (RFC 6749 §4.1.3, RFC 7636 §4.5). */
export interface CodeExchange {
  client: OauthClient;
  code: string;
  verifier: string;
  redirectUri: string;
}

export type RefreshOutcome =
  | {
      kind: "granted";
      access: AccessToken;
      /** In place of the one that was handed in; null: that one stays good. */
      refreshToken: string | null;
    }
  /** The grant is dead, or the account's own client is not accepted: the owner has to see to it. */
  | { kind: "refused"; reason: string }
  /** The server is in trouble, or does not accept the operator's client: a later try may succeed. */
  | { kind: "unreachable"; reason: string };

/**
 * What an administrator's consent lets in: every mailbox of a workspace. `clientSecret` is Google's private key
 * (PEM), or the secret of an application at Microsoft.
 */
export interface WorkspaceGrant extends OauthClient {
  workspaceId: string;
  /** Whose token serves all its mailboxes (Microsoft); null: each mailbox has a token of its own. */
  tenant: string | null;
  /** Names the key to the server. */
  keyId: string | null;
  /** None of its mailboxes has any. */
  refreshToken?: never;
  access?: never;
}

export type WorkspaceOutcome =
  | { kind: "granted"; access: AccessToken }
  /** This mailbox alone gets none: there is none, or it is switched off. */
  | { kind: "refused"; reason: string }
  /** No mailbox of the workspace gets one until its administrator has seen to it. */
  | { kind: "revoked"; reason: string }
  | { kind: "unreachable"; reason: string };

/** An OAuth client of the operator's that a server does not accept. */
export interface ClientFault {
  provider: Provider;
  clientId: string;
  /** The server's words. */
  reason: string;
  since: UnixMs;
}

export interface OauthPort {
  /** True where mailboxes of this provider can log in by OAuth here. */
  knows(provider: Provider): boolean;
  /** The operator's own client, which accounts without one of theirs use. */
  client(provider: Provider): OauthClient | null;
  /** Asks the server itself, where only its name is set. Never rejects. */
  server(provider: Provider): Promise<ServerOutcome>;
  /** Never rejects. */
  exchange(provider: Provider, request: CodeExchange): Promise<GrantOutcome>;
  /** Trades a refresh token for an access token (RFC 6749 §6). Never rejects. */
  refresh(provider: Provider, client: OauthClient, refreshToken: string): Promise<RefreshOutcome>;
  /** An access token for a mailbox by its workspace's consent. Never rejects. */
  workspaceToken(
    provider: Provider,
    grant: WorkspaceGrant,
    mailbox: string,
  ): Promise<WorkspaceOutcome>;
  /** What the operator has to see to, as far as it has shown since the program started. */
  clientFaults(): ClientFault[];
}
