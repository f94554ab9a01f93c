/**
 * Who asks: the bearer key of a request, looked up by its hash in the environment that its environment word
 * names. One answer for keys that are missing, malformed, unknown, revoked and expired.
 */

import { timingSafeEqual } from "node:crypto";
import { Problem } from "#domain/problem.ts";
import { envNamedBy, holds, readKey } from "#domain/team/api-key.ts";
import { MINUTE_MS } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { crc32, sha256 } from "#platform/secrets/crypto.ts";
import type { ApiKeyRow } from "#store/tables/teams.ts";
import { findKeyByHash, keySent, touchKey } from "#store/team/keys.ts";
import { isUsable } from "#usecases/team/keys.ts";
import type { Environments } from "../context.ts";

const BEARER = /^Bearer ([^\s]{1,100})$/i;

/** A key's last use is written at most this often. */
const TOUCH_EVERY_MS = MINUTE_MS;

/** Throws `authentication_error`. */
export function authenticate(
  environments: Environments,
  request: Request,
): { env: Environment; caller: Caller } {
  const header = request.headers.get("authorization");
  if (header === null) {
    throw unauthorized("send the header Authorization: Bearer <API key>");
  }
  const key = BEARER.exec(header)?.[1] ?? "";
  const envName = envNamedBy(key);
  const env = envName === null ? undefined : environments[envName];
  const row = env && keySent(env.db, key, () => findByText(env, key));
  const now = environments.live.wall.now();
  if (env === undefined || row === undefined || !isUsable(row, now)) {
    throw unauthorized("this API key is not valid");
  }
  if (row.lastUsedAt === null || now - row.lastUsedAt >= TOUCH_EVERY_MS) {
    env
      .commit(() => touchKey(env.db, row, now))
      .catch((error: unknown) => {
        env.log.warn("the last use of a key could not be recorded", { cause: String(error) });
      });
  }
  return {
    env,
    caller: { teamId: row.teamId, actor: `key:${row.id}`, scopes: row.scopes },
  };
}

/** A key that is mistyped is not looked up. */
function findByText({ db, name }: Environment, key: string): ApiKeyRow | undefined {
  if (readKey(key, crc32) !== name) {
    return undefined;
  }
  const hash = sha256(key);
  const row = findKeyByHash(db, hash);
  return row !== undefined && timingSafeEqual(row.hash, hash) ? row : undefined;
}

/** Throws `permission_error` unless the caller may do what needs `scope`; null is nobody's. */
export function checkScope(caller: Caller, scope: string | null): void {
  if (scope === null) {
    throw new Error("an operation declares no scope");
  }
  if (!holds(caller.scopes, scope)) {
    if (caller.role !== undefined) {
      const message = `your role in this team, ${caller.role}, lacks the scope "${scope}"`;
      throw new Problem("permission_error", message);
    }
    throw new Problem("permission_error", `this key lacks the scope "${scope}"`, null, {
      "WWW-Authenticate": `Bearer error="insufficient_scope", scope="${scope}"`,
    });
  }
}

function unauthorized(message: string): Problem {
  return new Problem("authentication_error", message, null, {
    "WWW-Authenticate": 'Bearer realm="outrider"',
  });
}
