/** `/keys`. A live key also manages the test keys, wholly in the test environment; never the reverse. */

import { Elysia } from "elysia";
import { type Environments, PLAN_LIMITED, resource } from "#api/context.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { envelope } from "#api/schema.ts";
import { present, read } from "#api/wire.ts";
import { create, remove, type WriteContext } from "#api/write.ts";
import { notFound, Problem } from "#domain/problem.ts";
import type { Env } from "#domain/team/api-key.ts";
import type { Environment } from "#environment.ts";
import type { ApiKeyRow } from "#store/tables/teams.ts";
import { findKey, listKeys } from "#store/team/keys.ts";
import { findTeam } from "#store/team/teams.ts";
import { createKey, revokeKey, rotateKey } from "#usecases/team/keys.ts";
import { mirrorTeam } from "#usecases/team/teams.ts";
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

export function keyRoutes(environments: Environments) {
  return new Elysia().use(reads(environments)).use(writes(environments));
}

function reads(environments: Environments) {
  return resource("keys", "/keys")
    .get(
      "",
      ({ env, caller, request }) => {
        const query = readQuery(KeyQuery, request);
        const there = environmentOf(environments, env, query.env);
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
      ({ env, caller, params, request }) => {
        const there = environmentOf(environments, env, readQuery(EnvQuery, request).env);
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

function writes(environments: Environments) {
  return resource("keys", "/keys")
    .post(
      "",
      (context) => {
        const { body, caller } = context;
        const there = inEnvironment(environments, context, body.env);
        return create(
          there,
          () => {
            const team = findTeam(environments.live.db, caller.teamId);
            if (team !== undefined) {
              mirrorTeam(there.env, team);
            }
            const input = { expiresAt: null, ...read(KeyCreate, body) };
            const { key, row } = createKey(there.env, caller, input);
            return { key, ...shown(row, there.env) };
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
        const envName = readQuery(EnvQuery, context.request).env;
        const there = inEnvironment(environments, context, envName);
        return remove(there, () => {
          revokeKey(there.env, context.caller, context.params.id);
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
        const envName = readQuery(EnvQuery, context.request).env;
        const there = inEnvironment(environments, context, envName);
        return create(
          there,
          () => {
            const grace = context.body?.grace_seconds ?? GRACE_SECONDS;
            const { key, row } = rotateKey(there.env, context.caller, context.params.id, grace);
            return { key, ...shown(row, there.env) };
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

/** The environment that `env` names. A test key sees nothing live. */
function environmentOf(
  environments: Environments,
  own: Environment,
  envName: Env | undefined,
): Environment {
  if (envName === undefined || envName === own.name) {
    return own;
  }
  if (own.name === "test") {
    throw new Problem("permission_error", "a test key cannot reach the live environment", "env");
  }
  return environments[envName];
}

function inEnvironment<Context extends WriteContext>(
  environments: Environments,
  context: Context,
  envName: Env | undefined,
): WriteContext {
  const { caller, state, request, set } = context;
  return { env: environmentOf(environments, context.env, envName), caller, state, request, set };
}

const shown = (row: ApiKeyRow, { name }: Environment) => present(Key, { ...row, env: name });
