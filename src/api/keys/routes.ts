/** `/keys`. A live key also manages the test keys, wholly in the test world; never the reverse. */

import { Elysia } from "elysia";
import { PLAN_LIMITED, resource, type Worlds } from "#api/context.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { envelope } from "#api/schema.ts";
import { present, read } from "#api/wire.ts";
import { create, remove, type WriteContext } from "#api/write.ts";
import { notFound, Problem } from "#domain/problem.ts";
import type { Env } from "#domain/team/api-key.ts";
import type { ApiKeyRow } from "#store/tables/teams.ts";
import { findKey, listKeys } from "#store/team/keys.ts";
import { findTeam } from "#store/team/teams.ts";
import { createKey, revokeKey, rotateKey } from "#usecases/team/keys.ts";
import { mirrorTeam } from "#usecases/team/teams.ts";
import type { World } from "#world.ts";
import {
  EnvQuery,
  GRACE_SECONDS,
  Key,
  KeyCreate,
  KeyPage,
  KeyParams,
  KeyQuery,
  KeyRotate,
  MintedKey,
} from "./schema.ts";

export function keyRoutes(worlds: Worlds) {
  return new Elysia().use(reads(worlds)).use(writes(worlds));
}

function reads(worlds: Worlds) {
  return resource("keys", "/keys")
    .get(
      "",
      ({ world, caller, request }) => {
        const query = readQuery(KeyQuery, request);
        const there = worldOf(worlds, world, query.env);
        const { rows, total } = listKeys(there.db, caller.teamId, query);
        return envelope(
          rows.map((row) => shown(row, there)),
          total,
          query,
        );
      },
      {
        response: { 200: KeyPage },
        detail: {
          summary: "List keys",
          description: "Returns the team's API keys, without the keys themselves.",
          ...queryOf(KeyQuery),
        },
      },
    )
    .get(
      "/:id",
      ({ world, caller, params, request }) => {
        const there = worldOf(worlds, world, readQuery(EnvQuery, request).env);
        const row = findKey(there.db, caller.teamId, params.id);
        if (row === undefined) {
          throw notFound("key");
        }
        return shown(row, there);
      },
      {
        params: KeyParams,
        response: { 200: Key },
        detail: {
          summary: "Get a key",
          description: "Returns one API key, without the key itself.",
          ...queryOf(EnvQuery),
        },
      },
    );
}

function writes(worlds: Worlds) {
  return resource("keys", "/keys")
    .post(
      "",
      (context) => {
        const { body, caller } = context;
        const there = inWorld(worlds, context, body.env);
        return create(
          there,
          () => {
            const team = findTeam(worlds.live.db, caller.teamId);
            if (team !== undefined) {
              mirrorTeam(there.world, team);
            }
            const input = { expiresAt: null, ...read(KeyCreate, body) };
            const { key, row } = createKey(there.world, caller, input);
            return { key, ...shown(row, there.world) };
          },
          ({ id }) => `/keys/${id}`,
        );
      },
      {
        body: KeyCreate,
        response: { 201: MintedKey },
        detail: {
          summary: "Create a key",
          description: "Creates an API key. The response is the only place that shows it.",
          ...PLAN_LIMITED,
        },
      },
    )
    .delete(
      "/:id",
      (context) => {
        const env = readQuery(EnvQuery, context.request).env;
        const there = inWorld(worlds, context, env);
        return remove(there, () => {
          revokeKey(there.world, context.caller, context.params.id);
        });
      },
      {
        params: KeyParams,
        detail: {
          summary: "Revoke a key",
          description: "Revokes an API key at once.",
          ...queryOf(EnvQuery),
        },
      },
    )
    .post(
      "/:id/rotate",
      (context) => {
        const env = readQuery(EnvQuery, context.request).env;
        const there = inWorld(worlds, context, env);
        return create(
          there,
          () => {
            const grace = context.body?.grace_seconds ?? GRACE_SECONDS;
            const { key, row } = rotateKey(there.world, context.caller, context.params.id, grace);
            return { key, ...shown(row, there.world) };
          },
          ({ id }) => `/keys/${id}`,
        );
      },
      {
        params: KeyParams,
        body: KeyRotate,
        response: { 201: MintedKey },
        detail: {
          summary: "Rotate a key",
          description:
            "Replaces an API key by a new one with the same name and scopes. The old key keeps " +
            "working until the grace period ends.",
          "x-optional-body": true,
          ...queryOf(EnvQuery),
        },
      },
    );
}

/** The world that `env` names. A test key sees nothing live. */
function worldOf(worlds: Worlds, own: World, env: Env | undefined): World {
  if (env === undefined || env === own.env) {
    return own;
  }
  if (own.env === "test") {
    throw new Problem("permission_error", "a test key cannot reach the live environment", "env");
  }
  return worlds[env];
}

function inWorld<Context extends WriteContext>(
  worlds: Worlds,
  context: Context,
  env: Env | undefined,
): WriteContext {
  const { caller, state, request, set } = context;
  return { world: worldOf(worlds, context.world, env), caller, state, request, set };
}

const shown = (row: ApiKeyRow, { env }: World) => present(Key, { ...row, env });
