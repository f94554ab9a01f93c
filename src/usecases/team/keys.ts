/**
 * API keys: made once in clear, kept as a hash. A key lives in its own environment's file, so these run
 * wholly in the environment whose keys they change.
 */

import { conflict, found, invalid, Problem } from "#domain/problem.ts";
import { mintKey, OPERATOR_SCOPE, permits, SCOPES } from "#domain/team/api-key.ts";
import { checkPlanned, HOUR_MS, plus, SECOND_MS, type UnixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { crc32, sha256 } from "#platform/secrets/crypto.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { ApiKeyRow } from "#store/tables/teams.ts";
import { findKey, insertKey, otherLastingKeys, updateKey } from "#store/team/keys.ts";
import { ensureCapacity } from "#usecases/events/limits.ts";
import { audit } from "#usecases/events/record.ts";

export interface KeyInput {
  name: string;
  scopes?: readonly string[];
  expiresAt?: UnixMs | null;
}

/** The whole key is in `key`, this once. */
export interface MintedKey {
  key: string;
  row: ApiKeyRow;
}

const GRACE_SECONDS_MAX = (7 * 24 * HOUR_MS) / SECOND_MS;

/**
 * Throws `validation_error` for an unknown scope or an expiry that has passed, `permission_error` when
 * the new key could do more than its maker.
 */
export function createKey(env: Environment, caller: Caller, input: KeyInput): MintedKey {
  // What belongs to the whole installation is given by name only.
  const scopes = input.scopes ?? caller.scopes.filter((scope) => scope !== OPERATOR_SCOPE);
  checkScopes(caller, scopes);
  ensureCapacity(env, caller.teamId, "keys");
  const now = env.wall.now();
  if (input.expiresAt !== undefined && input.expiresAt !== null && input.expiresAt <= now) {
    throw invalid("expires_at", "must be in the future");
  }
  checkPlanned(input.expiresAt, "expires_at");
  const minted = mint(env, caller.teamId, {
    name: input.name,
    scopes: [...new Set(scopes)],
    expiresAt: input.expiresAt ?? null,
  });
  audit(env, caller, {
    action: "key.create",
    target: `key:${minted.row.id}`,
    after: { name: minted.row.name, scopes: minted.row.scopes, expires_at: minted.row.expiresAt },
  });
  return minted;
}

/**
 * At once: the next request with this key is refused. Revoking a revoked key changes nothing. Throws
 * `permission_error` for a key that can do more than the caller, `conflict` for the last admin key.
 */
export function revokeKey(env: Environment, caller: Caller, id: Id): ApiKeyRow {
  const row = keyInReach(env, caller, id);
  if (row.revokedAt !== null) {
    return row;
  }
  if (caller.actor !== "operator" && row.scopes.includes("admin")) {
    const others = otherLastingKeys(env.db, caller.teamId, id);
    if (!others.some((key) => key.scopes.includes("admin"))) {
      throw conflict("this is the team's last admin key; create another one first");
    }
  }
  const revoked = { ...row, revokedAt: env.wall.now() };
  updateKey(env.db, revoked);
  audit(env, caller, { action: "key.revoke", target: `key:${id}`, before: { name: row.name } });
  return revoked;
}

/**
 * A new key with the old one's name and scopes; the old one works for `graceSeconds` more. Throws
 * `permission_error` for a key that can do more than the caller.
 */
export function rotateKey(
  env: Environment,
  caller: Caller,
  id: Id,
  graceSeconds: number,
): MintedKey {
  const row = keyInReach(env, caller, id);
  const now = env.wall.now();
  if (!isUsable(row, now)) {
    throw conflict("this key was revoked or has expired; create a new one");
  }
  if (row.replacedBy !== null) {
    throw conflict("this key has already been rotated; rotate its replacement");
  }
  if (graceSeconds < 0 || graceSeconds > GRACE_SECONDS_MAX) {
    throw invalid("grace_seconds", `must be 0 to ${GRACE_SECONDS_MAX}`);
  }
  const minted = mint(env, caller.teamId, row);
  const end = plus(now, graceSeconds * SECOND_MS);
  const expiresAt = row.expiresAt !== null && row.expiresAt < end ? row.expiresAt : end;
  updateKey(env.db, {
    ...row,
    replacedBy: minted.row.id,
    expiresAt,
    revokedAt: graceSeconds === 0 ? now : null,
  });
  audit(env, caller, {
    action: "key.rotate",
    target: `key:${id}`,
    after: { replaced_by: minted.row.id, expires_at: expiresAt },
  });
  return minted;
}

/** True while a key opens anything. */
export function isUsable(row: ApiKeyRow, now: UnixMs): boolean {
  return row.revokedAt === null && (row.expiresAt === null || row.expiresAt > now);
}

/**
 * A key of the caller's team that can do no more than the caller: ending or replacing a key is power over
 * what it is used for. Throws `not_found`, `permission_error`. The command line reaches every key.
 */
function keyInReach(env: Environment, caller: Caller, id: Id): ApiKeyRow {
  const row = found(findKey(env.db, caller.teamId, id), "key");
  const beyond = row.scopes.find((scope) => !covers(caller.scopes, scope));
  if (beyond !== undefined && caller.actor !== "operator") {
    throw new Problem(
      "permission_error",
      `the key has the scope "${beyond}", which you don't have`,
    );
  }
  return row;
}

function checkScopes(caller: Caller, scopes: readonly string[]): void {
  for (const [index, scope] of scopes.entries()) {
    if (!SCOPES.includes(scope)) {
      throw invalid(`scopes.${index}`, `must be one of ${SCOPES.join(", ")}`);
    }
    if (!covers(caller.scopes, scope)) {
      throw new Problem(
        "permission_error",
        `this key can't grant "${scope}" because it doesn't have that scope`,
        `scopes.${index}`,
      );
    }
  }
  if (scopes.length === 0) {
    throw invalid("scopes", "must contain at least one scope");
  }
}

function covers(held: readonly string[], scope: string): boolean {
  if (scope === OPERATOR_SCOPE) {
    return held.includes(OPERATOR_SCOPE);
  }
  if (held.includes("admin") || held.includes(scope)) {
    return true;
  }
  const [resource, access] = scope.split(":");
  if (access === undefined) {
    return scope === "read" && held.includes("write");
  }
  return permits(
    held,
    resource as Parameters<typeof permits>[1],
    access === "write" ? "write" : "read",
  );
}

function mint(
  env: Environment,
  teamId: Id,
  input: { name: string; scopes: readonly string[]; expiresAt: UnixMs | null },
): MintedKey {
  const now = env.wall.now();
  const key = mintKey(env.name, () => env.dice.byte(), crc32);
  const row: ApiKeyRow = {
    id: env.ids.next(now),
    teamId,
    name: input.name,
    hash: sha256(key),
    last4: key.slice(-4),
    scopes: [...input.scopes],
    createdAt: now,
    expiresAt: input.expiresAt,
    revokedAt: null,
    lastUsedAt: null,
    replacedBy: null,
  };
  insertKey(env.db, row);
  return { key, row };
}
