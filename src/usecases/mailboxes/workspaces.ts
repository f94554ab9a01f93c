/**
 * Workspaces whose administrator lets every mailbox in by one consent: create, change, delete, and what it means for
 * all mailboxes at once that a token is granted, or not any more.
 */

import {
  readServiceAccountKey,
  WORKSPACES_MAX,
  type WorkspaceProvider,
} from "#domain/mailboxes/workspace.ts";
import { conflict, found, invalid } from "#domain/problem.ts";
import { HOUR_MS, MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { rsaKeyBits } from "#platform/secrets/crypto.ts";
import {
  countAccountsOfWorkspace,
  detachAccounts,
  findWorkspace,
  holdAccounts,
  insertWorkspace,
  releaseAccounts,
  removeWorkspace,
  updateWorkspace,
  workspaceById,
  workspacesOf,
} from "#store/mailboxes/workspaces.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { WorkspaceRow } from "#store/tables/workspaces.ts";
import { audit, auditEngine, emit } from "#usecases/events/record.ts";
import { workspaceContext } from "./credentials.ts";

const KEY_BITS_MIN = 2_048;
/** A refused consent is asked about again after this time, the longer the longer it has lasted. */
const RECHECK_MS = { min: 5 * MINUTE_MS, max: HOUR_MS };

export interface WorkspaceFields {
  domains: readonly string[];
  /** Google. */
  serviceAccountKey: string;
  /** Microsoft: by default the first domain, by which Microsoft knows the tenant too. */
  tenant: string;
  clientId: string;
  clientSecret: string;
}

/** Throws `validation_error` naming the field, and `conflict` for one too many. */
export function createWorkspace(
  env: Environment,
  caller: Caller,
  { provider, ...fields }: Partial<WorkspaceFields> & { provider: WorkspaceProvider },
): WorkspaceRow {
  if (workspacesOf(env.db, caller.teamId).length >= WORKSPACES_MAX) {
    throw conflict(`a team may have at most ${WORKSPACES_MAX} workspaces`);
  }
  const now = env.clock.now();
  const blank: WorkspaceRow = {
    ...{ id: env.ids.next(now), teamId: caller.teamId, provider, domains: [], tenant: null },
    ...{ clientId: "", clientNumber: null, keyId: null, secret: null },
    ...{ status: "waiting", lastError: null, checkAt: null, checkedAt: null },
    ...{ createdAt: now, updatedAt: now },
  };
  const row = merged(env, blank, fields);
  insertWorkspace(env.db, row);
  audit(env, caller, { action: "workspace.create", target: targetOf(row), after: factsOf(row) });
  env.wake();
  return row;
}

/** Throws as {@link createWorkspace} does, and `not_found`. A token is asked for anew. */
export function patchWorkspace(
  env: Environment,
  caller: Caller,
  id: Id,
  change: Partial<WorkspaceFields>,
): WorkspaceRow {
  const before = requireWorkspace(env, caller, id);
  const row = { ...merged(env, before, change), updatedAt: env.clock.now() };
  updateWorkspace(env.db, row);
  const facts = { before: factsOf(before), after: factsOf(row) };
  audit(env, caller, { action: "workspace.patch", target: targetOf(row), ...facts });
  env.wake();
  return row;
}

/** Its mailboxes stay, without credentials. Throws `not_found`. */
export function deleteWorkspace(env: Environment, caller: Caller, id: Id): void {
  const row = requireWorkspace(env, caller, id);
  detachAccounts(env.db, id);
  removeWorkspace(env.db, id);
  audit(env, caller, { action: "workspace.delete", target: targetOf(row), before: factsOf(row) });
}

export function requireWorkspace(env: Environment, caller: Caller, id: Id): WorkspaceRow {
  return found(findWorkspace(env.db, caller.teamId, id), "workspace");
}

function merged(
  env: Environment,
  row: WorkspaceRow,
  change: Partial<WorkspaceFields>,
): WorkspaceRow {
  const domains = [...new Set((change.domains ?? row.domains).map((one) => one.toLowerCase()))];
  const next = { ...row, domains, checkAt: env.clock.now() };
  return row.provider === "google" ? ofGoogle(env, next, change) : ofMicrosoft(env, next, change);
}

function ofGoogle(
  env: Environment,
  row: WorkspaceRow,
  change: Partial<WorkspaceFields>,
): WorkspaceRow {
  const { serviceAccountKey: text } = change;
  const other = (["tenant", "clientId", "clientSecret"] as const).find((name) => name in change);
  if (other !== undefined) {
    const name = other.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    throw invalid(name, "is for microsoft; google takes service_account_key");
  }
  if (text === undefined) {
    if (row.secret === null) {
      throw invalid("service_account_key", "is required");
    }
    return row;
  }
  const {
    clientEmail: clientId,
    clientId: clientNumber,
    keyId,
    privateKey,
  } = readServiceAccountKey(text);
  if ((rsaKeyBits(privateKey) ?? 0) < KEY_BITS_MIN) {
    const words = `its private_key must be an RSA key of at least ${KEY_BITS_MIN} bits in PEM`;
    throw invalid("service_account_key", words);
  }
  return { ...row, clientId, clientNumber, keyId, secret: sealed(env, row, privateKey) };
}

function ofMicrosoft(
  env: Environment,
  row: WorkspaceRow,
  change: Partial<WorkspaceFields>,
): WorkspaceRow {
  if (change.serviceAccountKey !== undefined) {
    throw invalid("service_account_key", "is for google; microsoft takes client_secret");
  }
  const clientId = change.clientId ?? row.clientId;
  if (clientId === "") {
    throw invalid("client_id", "is required");
  }
  const { clientSecret } = change;
  if (clientSecret === undefined && (row.secret === null || clientId !== row.clientId)) {
    throw invalid("client_secret", "is required");
  }
  const tenant = (change.tenant ?? row.tenant ?? row.domains[0] ?? "").toLowerCase();
  const secret = clientSecret === undefined ? row.secret : sealed(env, row, clientSecret);
  return { ...row, tenant, clientId, secret };
}

function sealed(env: Environment, { id }: WorkspaceRow, secret: string): string {
  return env.vault.seal(secret, workspaceContext(id));
}

/**
 * A token was granted (`reason` null), or is not: then all mailboxes wait, and none is to blame. Once one is
 * granted again, each is tried and goes on by itself. Runs inside a commit.
 */
export function recordWorkspace(env: Environment, id: Id, reason: string | null): void {
  const before = workspaceById(env.db, id);
  if (before === undefined) {
    return;
  }
  const now = env.clock.now();
  if (reason === null) {
    recordGranted(env, before, now);
    return;
  }
  const isNews = before.lastError === null;
  const status = before.status === "waiting" ? "waiting" : "refused";
  const updatedAt = isNews ? now : before.updatedAt;
  const checkAt = plus(now, waitAfter(now - updatedAt));
  const row = { ...before, status, lastError: reason, checkAt, checkedAt: now, updatedAt } as const;
  updateWorkspace(env.db, row);
  holdAccounts(env.db, id);
  if (before.status !== row.status) {
    auditMove(env, before, row);
    const accounts = countAccountsOfWorkspace(env.db, id);
    emit(env, row.teamId, "workspace.refused", { ...told(row), last_error: reason, accounts });
  }
}

function recordGranted(env: Environment, before: WorkspaceRow, now: UnixMs): void {
  const isNews = before.status !== "connected" || before.lastError !== null;
  if (!isNews && before.checkAt === null) {
    return;
  }
  const row = { ...before, lastError: null, checkAt: null, checkedAt: now, updatedAt: now };
  updateWorkspace(env.db, { ...row, status: "connected" });
  releaseAccounts(env.db, row.id, now);
  if (before.status !== "connected") {
    auditMove(env, before, { ...row, status: "connected" });
    emit(env, row.teamId, "workspace.connected", told(row));
  }
  env.wake();
}

/** After how long it is asked again about what has lasted `ms`. */
function waitAfter(ms: number): number {
  return Math.min(RECHECK_MS.max, Math.max(RECHECK_MS.min, Math.floor(ms / 4)));
}

function auditMove(env: Environment, before: WorkspaceRow, after: WorkspaceRow): void {
  auditEngine(env, after.teamId, {
    action: `workspace.${after.status === "connected" ? "connect" : "refuse"}`,
    target: targetOf(after),
    before: factsOf(before),
    after: factsOf(after),
  });
}

function told({ id, provider, domains }: WorkspaceRow) {
  return { workspace_id: id, provider, domains };
}

function targetOf({ id }: WorkspaceRow): string {
  return `workspace:${id}`;
}

/** For the audit log; of the secret only the key's name. */
function factsOf(row: WorkspaceRow): Record<string, unknown> {
  const { provider, domains, tenant, clientId, keyId, status, lastError } = row;
  return { provider, domains, tenant, clientId, keyId, status, lastError };
}
