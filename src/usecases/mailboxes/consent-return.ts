/**
 * A browser that comes back from an authorization server: its response is checked, traded for a grant, and
 * the grant kept only when it is that of the mailbox which was to be connected.
 *
 * Source: RFC 6749 §4.1.2, RFC 9207.
 */

import { adviseConsent, remedyForGrant } from "#domain/mailboxes/consent-advice.ts";
import type { Provider } from "#domain/mailboxes/mailbox.ts";
import type { Caller, Environment } from "#environment.ts";
import type { Mailbox, TestOutcome } from "#platform/ports/mail.ts";
import type { Grant, OauthClient } from "#platform/ports/oauth.ts";
import { sha256 } from "#platform/secrets/crypto.ts";
import { accountById } from "#store/mailboxes/accounts.ts";
import {
  consentByState,
  consentOf,
  removeConsent,
  updateConsent,
} from "#store/mailboxes/consents.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { ConsentRow } from "#store/tables/consents.ts";
import { patchAccount } from "./accounts.ts";
import {
  type ConsentEnvironments,
  type ConsentFailure,
  clientOf,
  failure,
  PARAMETER_MAX,
  redirectOf,
  STALE,
  verifierContext,
} from "./consents.ts";
import { mailboxOf } from "./mailbox.ts";
import { recordProbe } from "./probes.ts";

/** What the browser came back with. */
export interface Return {
  provider: string;
  /** Parameters of the query, each once. */
  query: Readonly<Record<string, string>>;
  /** The value of the cookie that {@link cookieOf} names; empty where there is none. */
  browser: string;
}

export type ConsentEnd =
  | {
      kind: "connected";
      email: string;
      /** What the mail servers said of the new login. */
      outcome: TestOutcome;
    }
  | ConsentFailure;

/** Takes the answer of the provider. Whatever it is, it is taken once. */
export async function finishConsent(
  environments: ConsentEnvironments,
  back: Return,
): Promise<ConsentEnd> {
  const { state = "" } = back.query;
  if (state === "" || Object.values(back.query).some(({ length }) => length > PARAMETER_MAX)) {
    return STALE;
  }
  for (const env of [environments.live, environments.test]) {
    const stateHash = sha256(state);
    if (consentByState(env.db, stateHash) === undefined) {
      continue;
    }
    const consent = await env.commit(() => takeBack(env, stateHash));
    return consent === null ? STALE : await check(env, consent, back);
  }
  return STALE;
}

/** The consent that was sent away with this state, which counts no more. Runs inside a commit. */
function takeBack(env: Environment, stateHash: Uint8Array): ConsentRow | null {
  const consent = consentByState(env.db, stateHash);
  if (consent === undefined) {
    return null;
  }
  const spent = { ...consent, stateHash: null, browserHash: null, verifier: null };
  updateConsent(env.db, spent);
  return consent.expiresAt > env.wall.now() ? consent : null;
}

async function check(env: Environment, consent: ConsentRow, back: Return): Promise<ConsentEnd> {
  const account = accountById(env.db, consent.id);
  const { query } = back;
  if (account === undefined || account.provider !== back.provider) {
    return failure(
      "This response belongs to another sign-in",
      "It came from a different provider. Nothing has changed. Open the link again.",
    );
  }
  if (!isSameBrowser(consent, back.browser)) {
    return failure(
      "You started in another browser",
      "You started in another browser, or this one blocked our cookie. Nothing has changed. Open the link again in this browser.",
    );
  }
  const wrongIssuer = await isForeign(env, account.provider, query["iss"]);
  if (wrongIssuer) {
    return failure(
      "This response belongs to another sign-in",
      "It came from a different authorization server. Nothing has changed. Open the link again.",
    );
  }
  const { code = "", error } = query;
  if (error !== undefined || code === "") {
    return refusedBy(error ?? "no code", query["error_description"] ?? "");
  }
  return await trade(env, account, consent, code);
}

function isSameBrowser(consent: ConsentRow, browser: string): boolean {
  const given = sha256(browser);
  return consent.browserHash !== null && Buffer.from(given).equals(consent.browserHash);
}

/** True where the answer names another server than ours, or none although ours always does (RFC 9207). */
async function isForeign(
  env: Environment,
  provider: Provider,
  iss: string | undefined,
): Promise<boolean> {
  const outcome = await env.oauth.server(provider);
  if (outcome.kind !== "known" || outcome.server.issuer === null) {
    return false;
  }
  const { issuer, isAlwaysNamed } = outcome.server;
  return iss === undefined ? isAlwaysNamed : iss !== issuer;
}

function refusedBy(error: string, description: string): ConsentFailure {
  const advice = adviseConsent(`${error} ${description}`);
  if (advice?.about === "declined") {
    return failure(
      "You didn’t give consent",
      "The mailbox isn’t connected, and nothing has changed. To connect it after all, open the link again.",
    );
  }
  const words = `${error} ${description}`.replace(/[\p{Cc}\p{Cf}]+/gu, " ").slice(0, 300);
  return failure(
    "The provider refused",
    `It says: ${words.trim()}. Nothing has changed. ${advice?.remedy ?? "Ask whoever runs this installation for help."}`,
  );
}

async function trade(
  env: Environment,
  account: AccountRow,
  consent: ConsentRow,
  code: string,
): Promise<ConsentEnd> {
  const client = clientOf(env, account);
  const redirectUri = redirectOf(env, account.provider);
  if (client === null || redirectUri === null || consent.verifier === null) {
    return STALE;
  }
  const verifier = env.vault.open(consent.verifier, verifierContext(consent.id));
  const request = { client, code, verifier, redirectUri };
  const traded = await env.oauth.exchange(account.provider, request);
  if (traded.kind !== "granted") {
    const words = traded.kind === "refused" ? `It says: ${traded.reason}` : traded.reason;
    const remedy = remedyForGrant(traded.reason) ?? "Open the link again.";
    return failure("The provider didn’t grant access", `${words}. Nothing has changed. ${remedy}`);
  }
  const grant = { ...traded.grant };
  const expected = [account.email, account.smtp?.username, account.imap?.username];
  const isNamed = grant.logins.some((login) => expected.includes(login));
  if (grant.logins.length > 0 && !isNamed) {
    return wrongLogin(account, grant.logins[0] ?? "");
  }
  const tried = candidate(env, account, client, grant);
  const outcome = await env.mail.test(tried);
  env.mail.forget(tried.accountId);
  const isRefused = outcome.smtp.login === true || outcome.imap.login === true;
  if (isRefused && !isNamed) {
    return wrongLogin(account, null);
  }
  return await keep(env, account, { client, grant, outcome });
}

function wrongLogin(account: AccountRow, login: string | null): ConsentFailure {
  const who = login === null ? "someone else" : login;
  return failure(
    "You signed in to another mailbox",
    `This link connects ${account.email}, but you signed in as ${who}. Nothing has changed. Open the link again and sign in as ${account.email}.`,
  );
}

/**
 * The mailbox as it would be, under a name of its own, so that nothing of the account's is touched. `grant`
 * follows its refresh token.
 */
function candidate(
  env: Environment,
  account: AccountRow,
  { clientId, clientSecret }: OauthClient,
  grant: Grant,
): Mailbox {
  const accountId = env.ids.next(env.wall.now());
  const { refreshToken, access } = grant;
  const onRotated = (renewed: string) => {
    grant.refreshToken = renewed;
  };
  const oauth = { clientId, clientSecret, refreshToken, access, onRotated };
  return { ...mailboxOf(env, { ...account, secrets: null }), accountId, oauth };
}

/** Keeps the grant, and what the mail servers say of it. */
async function keep(
  env: Environment,
  account: AccountRow,
  got: { client: OauthClient; grant: Grant; outcome: TestOutcome },
): Promise<ConsentEnd> {
  const { grant, outcome } = got;
  const operators = env.oauth.client(account.provider);
  // The operator's secret stays with the operator: it may be replaced there.
  const isSharedClient = operators?.clientId === got.client.clientId;
  const oauth = {
    clientId: got.client.clientId,
    clientSecret: isSharedClient ? "" : got.client.clientSecret,
    refreshToken: grant.refreshToken,
  };
  const caller: Caller = { teamId: account.teamId, actor: "consent", scopes: [] };
  const isKept = await env.commit(() => {
    if (accountById(env.db, account.id) === undefined) {
      return false;
    }
    const row = patchAccount(env, caller, account.id, { oauth });
    recordProbe(env, row, outcome);
    if (consentOf(env.db, account.id) !== undefined) {
      removeConsent(env.db, account.id);
    }
    return true;
  });
  return isKept ? { kind: "connected", email: account.email, outcome } : STALE;
}
