/**
 * Connecting a mailbox by consent (OAuth 2.0, authorization code with PKCE): a link, the provider's own
 * page, and back with a code (`consent-return.ts`). Nobody has to hold a key to follow the link, because
 * only the mailbox's own login can complete it.
 *
 * `state` is random, used once, ends after a few minutes, and counts only in the browser that was sent
 * away with it, for the account and the provider that it was made for.
 *
 * Source: RFC 6749 §4.1, RFC 7636, RFC 9207, RFC 9700.
 */

import type { Provider } from "#domain/mailboxes/mailbox.ts";
import { conflict } from "#domain/problem.ts";
import { MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import type { OauthClient } from "#platform/ports/oauth.ts";
import { sha256 } from "#platform/secrets/crypto.ts";
import { accountById } from "#store/mailboxes/accounts.ts";
import {
  consentByTicket,
  insertConsent,
  pruneConsents,
  removeConsent,
  updateConsent,
} from "#store/mailboxes/consents.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { ConsentRow } from "#store/tables/consents.ts";
import { audit } from "#usecases/events/record.ts";
import { requireAccount } from "./accounts.ts";
import { consentUrl, idInLink, waitsForConsent } from "./consent-links.ts";
import { readableCredentials } from "./credentials.ts";

/** From the making of a link to its use, and from leaving for the provider to coming back. */
export const CONSENT_MS_MAX = 15 * MINUTE_MS;
/** Characters of what a browser brings back that are looked at. */
export const PARAMETER_MAX = 4_096;
const RANDOM_BYTES = 32;

export interface ConsentEnvironments {
  readonly live: Environment;
  readonly test: Environment;
}

export interface ConsentLink {
  url: string;
  expiresAt: UnixMs;
}

/**
 * Makes the link by which somebody connects the account in a browser; an older one stops working. Throws
 * `not_found`, `conflict` where the installation or the account lacks what it takes.
 */
export function beginConsent(env: Environment, caller: Caller, id: Id): ConsentLink {
  const account = requireAccount(env, caller, id);
  if (!env.oauth.knows(account.provider)) {
    throw conflict(
      `${account.provider} accounts can't use OAuth on this installation; set passwords, or ask the operator to set oauth_smtp_issuer`,
      "provider",
    );
  }
  if (clientOf(env, account) === null) {
    throw conflict(
      `no OAuth client is set; set oauth.client_id and oauth.client_secret on the account, or oauth_${account.provider}_client_id`,
      "oauth.client_id",
    );
  }
  const consent = newConsent(env, account);
  const url = consentUrl(env, account, "consent", consent.ticket);
  if (url === null) {
    throw conflict("set public_url first; the provider redirects back to it");
  }
  audit(env, caller, { action: "account.connect", target: `account:${id}` });
  return { url, expiresAt: consent.expiresAt };
}

/** The account's own client, or the operator's. */
export function clientOf(env: Environment, account: AccountRow): OauthClient | null {
  const { oauth, oauthClient } = readableCredentials(env.vault, account);
  return oauthClient ?? (oauth?.clientSecret ? oauth : null) ?? env.oauth.client(account.provider);
}

function newConsent(env: Environment, account: AccountRow): ConsentRow {
  const now = env.wall.now();
  pruneConsents(env.db, now);
  removeConsent(env.db, account.id);
  const consent: ConsentRow = {
    id: account.id,
    teamId: account.teamId,
    ticket: env.ids.next(now),
    ...{ stateHash: null, browserHash: null, verifier: null },
    expiresAt: plus(now, CONSENT_MS_MAX),
  };
  insertConsent(env.db, consent);
  return consent;
}

/** What the person is told; `title` is short, `text` says what to do. */
export interface ConsentFailure {
  kind: "failed";
  title: string;
  text: string;
}

export type ConsentStart =
  /** `browser` is kept by the browser under `cookie` until it is back. */
  { kind: "away"; url: string; cookie: string; browser: string } | ConsentFailure;

export const STALE = failure(
  "This link no longer works",
  "It has been used, has expired, or was replaced by a newer one. Ask for a new link.",
);

export function failure(title: string, text: string): ConsentFailure {
  return { kind: "failed", title, text };
}

/** Follows a link: sends the browser to the provider. */
export async function startConsent(
  environments: ConsentEnvironments,
  provider: string,
  ticket: string,
): Promise<ConsentStart> {
  const found = await findTicket(environments, ticket);
  if (found === null || found.account.provider !== provider) {
    return STALE;
  }
  const { env, account } = found;
  const client = clientOf(env, account);
  const redirectUri = redirectOf(env, account.provider);
  if (client === null || redirectUri === null) {
    return failure(
      "OAuth isn’t set up",
      "This mailbox has no OAuth client. Ask whoever runs this installation to set one up.",
    );
  }
  const outcome = await env.oauth.server(account.provider);
  if (outcome.kind !== "known") {
    const text = `Couldn’t reach the authorization server: ${outcome.reason}. Try again later.`;
    return failure("Couldn’t reach the provider", text);
  }
  const { server } = outcome;
  const [state, verifier, browser] = [randomText(env), randomText(env), randomText(env)];
  const kept = await env.commit(() => leave(env, found.ticket, { state, verifier, browser }));
  if (!kept) {
    return STALE;
  }
  const url = new URL(server.authorizeUrl);
  const query = {
    ...server.parameters,
    response_type: "code",
    client_id: client.clientId,
    redirect_uri: redirectUri,
    scope: server.scope,
    state,
    code_challenge: Buffer.from(sha256(verifier)).toString("base64url"),
    code_challenge_method: "S256",
    login_hint: account.smtp?.username || account.email,
  };
  for (const [name, value] of Object.entries(query)) {
    url.searchParams.set(name, value);
  }
  return { kind: "away", url: url.href, cookie: cookieOf(state), browser };
}

interface FoundTicket {
  env: Environment;
  account: AccountRow;
  /** The consent's own. */
  ticket: Id;
}

async function findTicket(
  environments: ConsentEnvironments,
  text: string,
): Promise<FoundTicket | null> {
  if (text.length > PARAMETER_MAX) {
    return null;
  }
  for (const env of [environments.live, environments.test]) {
    const ticket = idInLink(env, "consent", text);
    const consent = ticket === null ? undefined : consentByTicket(env.db, ticket);
    const account = consent && accountById(env.db, consent.id);
    if (consent !== undefined && account !== undefined && consent.expiresAt > env.wall.now()) {
      return { env, account, ticket: consent.ticket };
    }
    const id = idInLink(env, "reconnect", text);
    const waiting = id === null ? undefined : accountById(env.db, id);
    if (waiting !== undefined && waitsForConsent(waiting)) {
      const fresh = await env.commit(() => newConsent(env, waiting));
      return { env, account: waiting, ticket: fresh.ticket };
    }
  }
  return null;
}

interface Away {
  state: string;
  verifier: string;
  browser: string;
}

/** Remembers with what the browser was sent away. Runs inside a commit; false when it may not go. */
function leave(env: Environment, ticket: Id, { state, verifier, browser }: Away): boolean {
  const consent = consentByTicket(env.db, ticket);
  const now = env.wall.now();
  if (consent === undefined || consent.expiresAt <= now) {
    return false;
  }
  updateConsent(env.db, {
    ...consent,
    stateHash: sha256(state),
    browserHash: sha256(browser),
    verifier: env.vault.seal(verifier, verifierContext(consent.id)),
    expiresAt: plus(now, CONSENT_MS_MAX),
  });
  return true;
}

export function verifierContext(id: Id): string {
  return `consents.verifier:${id}`;
}

export function redirectOf(env: Environment, provider: Provider): string | null {
  return env.publicUrl === null ? null : `${env.publicUrl}/oauth/${provider}/callback`;
}

/** The cookie by which the browser is known: of its own for each state, so that tabs do not disturb another. */
export function cookieOf(state: string): string {
  return `outrider_consent_${Buffer.from(sha256(`cookie ${state}`))
    .toString("hex")
    .slice(0, 16)}`;
}

function randomText(env: Environment): string {
  const bytes = Uint8Array.from({ length: RANDOM_BYTES }, () => env.dice.byte());
  return Buffer.from(bytes).toString("base64url");
}
