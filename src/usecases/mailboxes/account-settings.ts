/** Merging what a person sets into an account, with the rules that no schema can say. */

import {
  fillConnection,
  presetServer,
  type Ramp,
  type ServerSettings,
  savesSent,
} from "#domain/mailboxes/account.ts";
import { canonicalHost } from "#domain/mailboxes/host.ts";
import type { ProviderLimits } from "#domain/mailboxes/mail-provider.ts";
import type { Security } from "#domain/mailboxes/mailbox.ts";
import { isOfWorkspace } from "#domain/mailboxes/workspace.ts";
import { invalid, together } from "#domain/problem.ts";
import { dateFromIso } from "#domain/time.ts";
import { readTimezone } from "#domain/timezone.ts";
import type { Environment } from "#environment.ts";
import { isLoopback } from "#platform/http/guard.ts";
import { findWorkspace } from "#store/mailboxes/workspaces.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { type AliasInput, readAliases, readSendAs } from "./aliases.ts";
import {
  type Credentials,
  changedCredentials,
  type Oauth,
  readableCredentials,
  sealCredentials,
} from "./credentials.ts";

type Protocol = "smtp" | "imap";

/** What is absent stays; a null password takes the stored one away. */
export interface ServerChange {
  host?: string;
  port?: number;
  security?: Security;
  username?: string;
  password?: string | null;
}

/** What a person may set beside the status. Null clears, or goes back to the provider's own server. */
export interface AccountFields {
  displayName: string | null;
  signature: string | null;
  aliases: readonly AliasInput[];
  sendAs: string | null;
  timezone: string;
  dailyLimit: number;
  hourlyLimit: number;
  providerLimits: ProviderLimits;
  verifyAddresses: boolean;
  minGapSeconds: number;
  maxGapSeconds: number | null;
  ramp: Partial<Ramp> | null;
  smtp: ServerChange | null;
  imap: (ServerChange & { saveSent?: boolean }) | null;
  oauth: Partial<Oauth> | null;
  workspaceId: Id | null;
}

/** Throws `validation_error` naming the fields that the merged account cannot have. */
export function mergeSettings(
  env: Environment,
  row: AccountRow,
  fields: Partial<AccountFields>,
): AccountRow {
  const { ramp, smtp, imap, oauth, timezone, aliases: given, sendAs: wanted, ...plain } = fields;
  const { minGapSeconds, maxGapSeconds } = { ...row, ...plain };
  const aliases = given === undefined ? row.aliases : readAliases(env, row, given);
  const [sendAs, zone, smtpServer, imapServer] = together(
    () => readSendAs({ ...row, aliases }, wanted === undefined ? row.sendAs : wanted),
    () => (timezone === undefined ? row.timezone : readTimezone(timezone, "timezone")),
    () => mergeServer("smtp", knownServer("smtp", row), smtp),
    () => mergeServer("imap", knownServer("imap", row), imap),
    () => checkGaps(minGapSeconds, maxGapSeconds),
  );
  const merged: AccountRow = {
    ...row,
    ...plain,
    timezone: zone,
    aliases,
    sendAs,
    // Who turns it on again has seen them.
    calloutTroubles: isSameConsent(row, plain) ? row.calloutTroubles : null,
    smtp: smtpServer,
    imap: imapServer,
    saveSent: imap === null ? savesSent(row.provider) : (imap?.saveSent ?? row.saveSent),
  };
  checkWorkspace(env, merged, oauth ?? null);
  return {
    ...merged,
    ramp: mergeRamp(env, merged, ramp),
    secrets: sealCredentials(env.vault, row, changedSecrets(env, row, merged, fields)),
  };
}

function isSameConsent(row: AccountRow, { verifyAddresses }: Partial<AccountFields>): boolean {
  return verifyAddresses === undefined || verifyAddresses === row.verifyAddresses;
}

/** Its token goes to the provider's own servers alone: whoever sets a host could else have it sent to theirs. */
function checkWorkspace(env: Environment, row: AccountRow, oauth: object | null): void {
  if (row.workspaceId === null) {
    return;
  }
  const workspace = findWorkspace(env.db, row.teamId, row.workspaceId);
  if (workspace?.provider !== row.provider) {
    throw invalid("workspace_id", `must be one of the team's workspaces at ${row.provider}`);
  }
  if (!isOfWorkspace(workspace.domains, row.email)) {
    const domains = workspace.domains.join(", ");
    throw invalid("workspace_id", `its domains are ${domains}; ${row.email} is in none of them`);
  }
  for (const protocol of ["smtp", "imap"] as const) {
    const own = presetServer(row.provider, protocol, row.email);
    if (!Bun.deepEquals(row[protocol], own)) {
      throw invalid(
        protocol,
        "must be the provider's own server while the mailbox is part of a workspace; send null",
      );
    }
  }
  if (oauth !== null) {
    throw invalid("oauth", "can't be set: the mailbox logs in with its workspace's consent");
  }
}

function checkGaps(min: number, max: number | null): void {
  if (max !== null && max < min) {
    throw invalid("max_gap_seconds", "must be at least min_gap_seconds");
  }
}

/** True when both sides have what they need to log in. A relay without a user name asks for nothing. */
export function canLogIn(row: AccountRow, held: Record<keyof Credentials, boolean>): boolean {
  if (row.smtp === null || row.imap === null) {
    return false;
  }
  return (
    row.workspaceId !== null ||
    held.oauth ||
    ((held.smtpPassword || row.smtp.username === "") && held.imapPassword)
  );
}

/** True when what connects the account has changed, and has to be proven anew. */
export function isReconnected(before: AccountRow, after: AccountRow): boolean {
  const serversOf = ({ smtp, imap }: AccountRow) => JSON.stringify([smtp, imap]);
  const changed = changedCredentials(before, after).filter((name) => name !== "oauthClient");
  const isSameConsent = before.workspaceId === after.workspaceId;
  return !isSameConsent || serversOf(before) !== serversOf(after) || changed.length > 0;
}

/**
 * True when somebody has put it to work again, or changed it, after `before` was read: that a login was
 * refused then says nothing of now, and the next one tells.
 */
export function isRevived(before: AccountRow, after: AccountRow): boolean {
  return after.status === "active" && after.updatedAt > before.updatedAt;
}

/** What is known of a mailbox's server before a change. */
export interface KnownServer {
  base: ServerSettings | null;
  /** The provider's own, to which null goes back. */
  preset: ServerSettings | null;
  email: string;
}

function knownServer(protocol: Protocol, row: AccountRow): KnownServer {
  const { email, provider } = row;
  return { base: row[protocol], preset: presetServer(provider, protocol, email), email };
}

/** Throws `validation_error` naming the field that cannot be. */
export function mergeServer(
  protocol: Protocol,
  { base, preset, email }: KnownServer,
  change: ServerChange | null | undefined,
): ServerSettings | null {
  if (change === undefined) {
    return base;
  }
  if (change === null) {
    return preset;
  }
  const host = change.host === undefined ? base?.host : canonicalHost(change.host);
  if (host === undefined) {
    throw invalid(`${protocol}.host`, "is required");
  }
  if (host === null) {
    throw invalid(`${protocol}.host`, "must be a host name or an IP address, without a port");
  }
  const { port, security } = fillConnection(protocol, { ...base, ...change });
  if (security === "none" && host !== "localhost" && !isLoopback(host)) {
    throw invalid(
      `${protocol}.security`,
      `can be "none" only for servers on this machine; use "starttls" or "tls"`,
    );
  }
  return { host, port, security, username: change.username ?? base?.username ?? email };
}

/** Counted from the day on which it is set, unless the request says another. */
function mergeRamp(
  env: Environment,
  row: AccountRow,
  change: Partial<Ramp> | null | undefined,
): Ramp | null {
  if (change === undefined || change === null) {
    return change === undefined ? row.ramp : null;
  }
  const start = change.start ?? row.ramp?.start;
  const increment = change.increment ?? row.ramp?.increment;
  if (start === undefined || increment === undefined) {
    throw invalid(start === undefined ? "ramp.start" : "ramp.increment", "is required");
  }
  const from = change.from === undefined ? row.ramp?.from : rampStart(change.from);
  return { start, increment, from: from ?? today(env, row.timezone) };
}

function today(env: Environment, timezone: string): string {
  const now = Temporal.Instant.fromEpochMilliseconds(env.clock.now());
  return now.toZonedDateTimeISO(timezone).toPlainDate().toString();
}

/**
 * A stored secret never follows to another host: whoever may change the host could else have it sent to
 * a server of their own. It has to be given again together with the new host.
 */
function changedSecrets(
  env: Environment,
  before: AccountRow,
  after: AccountRow,
  { smtp, imap, oauth }: Partial<AccountFields>,
): Partial<Credentials> {
  const isMoved = {
    smtp: movesHost("smtp", before, after),
    imap: movesHost("imap", before, after),
  };
  const password = (protocol: Protocol, change: ServerChange | null | undefined) => {
    const given = change === null ? null : change?.password;
    const isLeft = given === undefined && isMoved[protocol];
    return isLeft ? null : typeof given === "string" ? bare(after, given) : given;
  };
  const smtpPassword = password("smtp", smtp);
  const imapPassword = password("imap", imap);
  const held = readableCredentials(env.vault, before);
  const isAnyMoved = isMoved.smtp || isMoved.imap;
  return dropUndefined({
    smtpPassword,
    imapPassword:
      typeof smtpPassword === "string" && sharesPassword(after, held, imap)
        ? smtpPassword
        : imapPassword,
    ...mergeOauth(env, after, isAnyMoved ? { ...held, oauth: null } : held, oauth),
    ...(isAnyMoved && oauth === undefined && { oauth: null }),
  });
}

/** Google shows app passwords in groups of four, and takes them without the blanks only. */
function bare({ provider }: AccountRow, password: string): string {
  const isGrouped = provider === "google" && /^[a-z]{4}( [a-z]{4}){3}$/.test(password);
  return isGrouped ? password.replaceAll(" ", "") : password;
}

/** One password for both sides, unless IMAP has or is given one of its own. */
function sharesPassword(
  after: AccountRow,
  held: Credentials,
  imap: ServerChange | null | undefined,
): boolean {
  const isOwn = held.imapPassword !== null && held.imapPassword !== held.smtpPassword;
  return after.imap !== null && imap?.password === undefined && !isOwn;
}

function rampStart(text: string): string {
  const date = dateFromIso(text, "ramp.from");
  if (date.year > 2100) {
    throw invalid("ramp.from", "must be no later than the year 2100");
  }
  return date.toString();
}

function movesHost(protocol: Protocol, before: AccountRow, after: AccountRow): boolean {
  const old = before[protocol]?.host;
  return old !== undefined && old !== after[protocol]?.host;
}

/** Without a refresh token it is a client, to which somebody has yet to consent. */
function mergeOauth(
  env: Environment,
  row: AccountRow,
  { oauth, oauthClient }: Credentials,
  change: Partial<Oauth> | null | undefined,
): Partial<Credentials> {
  if (change === undefined || change === null) {
    return change === undefined ? {} : { oauth: null, oauthClient: null };
  }
  if (!env.oauth.knows(row.provider)) {
    throw invalid(
      "oauth",
      "works only with the providers google and microsoft; set passwords instead",
    );
  }
  const held: Partial<Oauth> = { ...oauthClient, ...oauth };
  const { clientId, clientSecret, refreshToken } = { ...held, ...change };
  if (clientId === undefined) {
    throw invalid("oauth.client_id", "is required");
  }
  if (clientSecret === undefined) {
    throw invalid("oauth.client_secret", "is required");
  }
  // A grant is its client's: another one can do nothing with it.
  const isOthers = clientId !== held.clientId && change.refreshToken === undefined;
  return refreshToken === undefined || isOthers
    ? { oauth: null, oauthClient: { clientId, clientSecret } }
    : { oauth: { clientId, clientSecret, refreshToken }, oauthClient: null };
}

function dropUndefined(
  change: {
    [Name in keyof Credentials]?: Credentials[Name] | undefined;
  },
): Partial<Credentials> {
  const entries = Object.entries(change).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<Credentials>;
}
