/**
 * Asking for the tokens of a workspace: by itself where none was granted, by a person's request, when the
 * administrator comes back from Microsoft's page, and for mailboxes that are added.
 */

import { MINUTE_MS, plus } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { accountByEmail, accountById } from "#store/mailboxes/accounts.ts";
import {
  accountsOfWorkspace,
  updateWorkspace,
  workspaceById,
} from "#store/mailboxes/workspaces.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { WorkspaceRow } from "#store/tables/workspaces.ts";
import { audit } from "#usecases/events/record.ts";
import { createAccount, patchAccount } from "./accounts.ts";
import { attempt, type Refusal } from "./bulk-accounts.ts";
import { idInLink } from "./consent-links.ts";
import type { ConsentEnvironments } from "./consents.ts";
import { UNREADABLE } from "./credentials.ts";
import { grantOf, isGrantReadable } from "./mailbox.ts";
import { recordProbe, tryConnections, wordsOf } from "./probes.ts";
import { recordWorkspace, requireWorkspace } from "./workspaces.ts";

/** Mailboxes of a workspace that are asked with: one may not exist any more. */
const SUBJECTS_MAX = 3;
/** Mailboxes that are tried side by side. */
const TRIES_MAX = 8;
const AGAIN_MS = 5 * MINUTE_MS;

/** Asks for a token and records what that says. */
export async function checkWorkspace(env: Environment, row: WorkspaceRow): Promise<void> {
  const verdict = await verdictOn(env, row);
  await env.commit(() => {
    const current = workspaceById(env.db, row.id);
    if (current === undefined || current.secret !== row.secret) {
      return;
    }
    if (verdict.kind === "unknown") {
      const checkAt = verdict.again ? plus(env.clock.now(), AGAIN_MS) : null;
      updateWorkspace(env.db, { ...current, checkAt });
    } else {
      recordWorkspace(env, row.id, verdict.reason);
    }
  });
}

/** The same at a person's request. Throws `not_found`. */
export async function testWorkspace(
  env: Environment,
  caller: Caller,
  id: Id,
): Promise<WorkspaceRow> {
  await checkWorkspace(env, requireWorkspace(env, caller, id));
  return await env.commit(() => {
    const row = requireWorkspace(env, caller, id);
    const after = { status: row.status, lastError: row.lastError };
    audit(env, caller, { action: "workspace.check", target: `workspace:${id}`, after });
    return row;
  });
}

type Verdict = { kind: "known"; reason: string | null } | { kind: "unknown"; again: boolean };

/** Google can be asked with a mailbox alone, so that without one nothing is known. */
async function verdictOn(env: Environment, row: WorkspaceRow): Promise<Verdict> {
  if (!isGrantReadable(env.vault, row)) {
    return { kind: "known", reason: UNREADABLE };
  }
  const grant = grantOf(env.vault, row);
  const members = accountsOfWorkspace(env.db, row.id, SUBJECTS_MAX).map(({ email }) => email);
  const subjects = row.tenant === null ? members : [""];
  for (const subject of subjects) {
    const outcome = await env.oauth.workspaceToken(row.provider, grant, subject);
    if (outcome.kind === "granted") {
      return { kind: "known", reason: null };
    }
    if (outcome.kind === "revoked") {
      return { kind: "known", reason: outcome.reason };
    }
  }
  return { kind: "unknown", again: subjects.length > 0 };
}

/** What became of an address that was to be a mailbox of the workspace. */
export interface AddedMailbox {
  email: string;
  /** Null where no account was made. */
  id: Id | null;
  /** A token was granted, and both servers took it. */
  connected: boolean;
  error: Refusal | null;
}

/**
 * Makes accounts of the addresses, or has those that there are log in by the workspace from now on, and tries each.
 * Throws `not_found`.
 */
export async function addMailboxes(
  env: Environment,
  caller: Caller,
  id: Id,
  emails: readonly string[],
): Promise<AddedMailbox[]> {
  requireWorkspace(env, caller, id);
  const waiting = [...new Set(emails)].map((email, at) => ({ email, at }));
  const results: AddedMailbox[] = [];
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      results[next.at] = await addMailbox(env, caller, id, next.email);
    }
  };
  await Promise.all(Array.from({ length: TRIES_MAX }, lane));
  return results;
}

async function addMailbox(
  env: Environment,
  caller: Caller,
  id: Id,
  email: string,
): Promise<AddedMailbox> {
  const made = await attempt(env, () => {
    const { provider } = requireWorkspace(env, caller, id);
    const address = email.trim().toLowerCase();
    const known = accountByEmail(env.db, caller.teamId, address);
    const fields = { workspaceId: id, smtp: null, imap: null };
    return known?.email !== address
      ? createAccount(env, caller, { email, provider, workspaceId: id })
      : patchAccount(env, caller, known.id, { ...fields, oauth: null });
  });
  if ("error" in made) {
    return { email, id: null, connected: false, error: made.error };
  }
  const words = await tried(env, made.done);
  const error = words === null ? null : { type: "upstream_error", message: words, field: null };
  return { email, id: made.done.id, connected: words === null, error };
}

/** Null where it works. One whose workspace is known to be refused waits for that without being tried. */
async function tried(env: Environment, account: AccountRow): Promise<string | null> {
  const waitsFor = () => {
    const row = accountById(env.db, account.id);
    return row?.notReadyReason === "workspace"
      ? (workspaceById(env.db, row.workspaceId)?.lastError ?? null)
      : null;
  };
  const refused = waitsFor();
  if (refused !== null) {
    return refused;
  }
  const outcome = await tryConnections(env, account);
  await env.commit(() => recordProbe(env, account, outcome));
  return outcome.smtp.ok && outcome.imap.ok ? null : (waitsFor() ?? wordsOf(outcome));
}

/** The link on which an administrator agrees for all; null where the provider has none or nothing leads back. */
export function adminConsentUrl(env: Environment, row: WorkspaceRow): string | null {
  const { provider, tenant, clientId, clientNumber, id } = row;
  if (provider === "google") {
    const url = new URL("https://admin.google.com/ac/owl/domainwidedelegation");
    url.searchParams.set("clientIdToAdd", clientNumber ?? clientId);
    url.searchParams.set("clientScopeToAdd", "https://mail.google.com/");
    url.searchParams.set("overwriteClientId", "true");
    return url.href;
  }
  const back = adminRedirectOf(env);
  if (back === null || tenant === null) {
    return null;
  }
  const url = new URL(`https://login.microsoftonline.com/${tenant}/adminconsent`);
  url.searchParams.set("client_id", clientId);
  url.searchParams.set("redirect_uri", back);
  url.searchParams.set("state", env.vault.sign(WORKSPACE_LINK, id));
  return url.href;
}

const WORKSPACE_LINK = "workspace";

/** Where Microsoft sends the administrator back to; the application has to know it. */
export function adminRedirectOf(env: Environment): string | null {
  return env.publicUrl === null ? null : `${env.publicUrl}/oauth/microsoft/workspace`;
}

/**
 * The administrator is back. What the browser brings is not believed: a token is asked for, and that decides.
 * Undefined where the link is not ours.
 */
export async function finishAdminConsent(
  environments: ConsentEnvironments,
  state: string,
): Promise<WorkspaceRow | undefined> {
  for (const env of [environments.live, environments.test]) {
    const row = workspaceById(env.db, idInLink(env, WORKSPACE_LINK, state));
    if (row !== undefined) {
      await checkWorkspace(env, row);
      return workspaceById(env.db, row.id);
    }
  }
  return undefined;
}
