/**
 * `/mcp`: the Model Context Protocol over streamable HTTP, with the API's keys and their scopes. Each request
 * stands alone: there are no sessions, and streams only where a client subscribes. A browser's page of
 * another origin is refused.
 *
 * Source: Model Context Protocol 2026-07-28, Transports, Streamable HTTP; earlier revisions are served, too.
 */

import type { AuthInfo, McpHttpHandler } from "@modelcontextprotocol/server";
import { type AnyElysia, Elysia } from "elysia";
import type { Api } from "#api/document/read.ts";
import { BODY_BYTES_MAX } from "#api/plugins/body.ts";
import { ANY_SCOPE } from "#api/plugins/routes.ts";
import { Problem } from "#domain/problem.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { ownTurn } from "#platform/turns.ts";
import { createConfirmations } from "./confirmations.ts";
import type { Assistant } from "./perform.ts";

const PATH = "/mcp";
const SUBSCRIPTIONS_MAX = 64;

export interface McpInput {
  api: () => Promise<Api>;
  version: string;
  /** Origin of the console; null where none is set. */
  publicUrl: string | null;
  now: () => UnixMs;
  /** Returns a request to the API as if `caller` had sent it with a key. */
  forward: (request: Request, env: Environment, caller: Caller) => Promise<Response>;
}

export function mcpRoutes(input: McpInput): AnyElysia {
  let made: Promise<McpHttpHandler> | undefined;
  const build = async () => {
    // Loaded for the first assistant that asks, each part in a turn of its own.
    const { createMcpHandler } = await import("@modelcontextprotocol/server");
    const { createMcpServer } = await import("./server.ts");
    const { makeToolbox } = await import("./toolbox.ts");
    await ownTurn();
    const api = await input.api();
    await ownTurn();
    const toolbox = makeToolbox(api, createConfirmations());
    await ownTurn();
    return createMcpHandler(
      ({ authInfo }) => {
        if (authInfo === undefined) {
          throw new Error("a request without a caller");
        }
        const { env, caller } = authInfo.extra as unknown as Known;
        const about = { version: input.version, isLive: env.name === "live" };
        return createMcpServer(toolbox, assistantOf(input, env, caller), about);
      },
      { maxRequestBodySize: BODY_BYTES_MAX, maxSubscriptions: SUBSCRIPTIONS_MAX },
    );
  };
  const app: AnyElysia = new Elysia({ name: "mcp", normalize: false });
  for (const method of ["GET", "POST", "DELETE"] as const) {
    app.route(
      method,
      PATH,
      async ({ request, env, caller }) => {
        refuseOrigin(request, input.publicUrl);
        made ??= build();
        const { fetch } = await made;
        return await fetch(request, { authInfo: authOf({ env, caller }) });
      },
      { parse: "none", detail: { "x-scope": ANY_SCOPE } as object },
    );
  }
  return app;
}

/** Whom the server has let in, as the SDK hands it on. */
interface Known {
  env: Environment;
  caller: Caller;
}

function authOf(known: Known): AuthInfo {
  const { actor, scopes } = known.caller;
  return { token: "", clientId: actor, scopes: [...scopes], extra: { ...known } };
}

function assistantOf({ forward, now }: McpInput, env: Environment, caller: Caller): Assistant {
  return {
    who: `${env.name} ${caller.teamId} ${caller.actor}`,
    now,
    scopes: caller.scopes,
    readOnly: false,
    ask: ({ path, init }) =>
      forward(new Request(`http://localhost/api/v1${path}`, init), env, caller),
  };
}

/** Programs send no Origin. Throws `permission_error` for a page's that isn't the console's. */
function refuseOrigin(request: Request, publicUrl: string | null): void {
  const origin = request.headers.get("origin");
  if (origin !== null && origin !== (publicUrl === null ? null : new URL(publicUrl).origin)) {
    throw new Problem("permission_error", "pages of other origins can't use this address");
  }
}
