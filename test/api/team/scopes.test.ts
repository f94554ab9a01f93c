/** Every operation with every scope: who is let in, and that nothing is left without a scope. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { buildDocument } from "#api/openapi.ts";
import { ANY_SCOPE, declaredScope } from "#api/plugins/routes.ts";
import { apiRoutes } from "#api/resources.ts";
import { SCOPE_RESOURCES, SCOPES } from "#domain/team/api-key.ts";
import { createKey } from "#usecases/team/keys.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { tried } from "../../support/promises.ts";

const UNKNOWN = "00000000-0000-7000-8000-00000000dead";

const routes = apiRoutes(undefined as never, undefined as never);
const operations = routes.routes.map(({ method, path, hooks }) => ({
  method,
  path,
  scope: declaredScope(method, (hooks as { detail?: object }).detail),
  /** It reads its body as it comes, of a kind of its own. */
  streams: "x-body-types" in ((hooks as { detail?: object }).detail ?? {}),
}));

/** Written down apart from the product: what opens a resource besides its own scopes and `admin`. */
const CLOSED = ["keys", "billing", "audit"];

function opens(scope: string, needed: string): boolean {
  if (scope === needed || needed === ANY_SCOPE) {
    return true;
  }
  if (scope === "operator" || needed === "operator") {
    return false;
  }
  if (scope === "admin") {
    return true;
  }
  const [resource = "", access] = needed.split(":");
  if (access === undefined) {
    return false;
  }
  if (scope === `${resource}:write`) {
    return true;
  }
  return !CLOSED.includes(resource) && (scope === "write" || scope === access);
}

let app: TestApp;
const keys = new Map<string, string>();
beforeAll(async () => {
  app = await createTestApp();
  const { test: env } = app.environments;
  const maker = { teamId: app.team.id, actor: "operator", scopes: SCOPES };
  for (const scope of SCOPES) {
    const input = { name: scope, scopes: [scope] };
    keys.set(scope, (await env.commit(() => createKey(env, maker, input))).key);
  }
});
afterAll(() => app.close());

async function statusOf(method: string, path: string, key: string, body?: string) {
  const response = await app.fetch(
    new Request(`http://localhost${path.replace(/:\w+/g, UNKNOWN)}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body }),
    }),
  );
  const asked = response.headers.get("www-authenticate");
  await response.body?.cancel();
  return { status: response.status, asked };
}

describe("every operation", () => {
  test("declares a scope that a key can hold", () => {
    const odd = operations.filter(({ scope }) => scope === null || !SCOPES.includes(scope));
    // Each operation in a batch needs its own.
    expect(odd.map(({ path, scope }) => [path, scope])).toEqual([["/api/v1/batch", ANY_SCOPE]]);
  });

  test("is documented with it", async () => {
    const document = JSON.parse(JSON.stringify(await buildDocument(routes, "0.0.0")));
    for (const { method, path, scope } of operations) {
      const at = path.replace("/api/v1", "").replace(/:(\w+)/g, "{$1}");
      const { security } = document.paths[at][method.toLowerCase()];
      const apiKey = scope === ANY_SCOPE ? [] : [scope];
      expect([method, at, security]).toEqual([method, at, [{ apiKey }]]);
    }
  });

  test("reads by a read scope and writes by a write scope of a resource, but for admin's, a preview and one's own views", () => {
    const teams = operations.filter(({ scope }) => scope !== "operator");
    const odd = teams.filter(({ method, scope }) => {
      return !scope?.endsWith(method === "GET" ? ":read" : ":write");
    });
    expect(odd.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /api/v1/campaigns/:id/preview",
      "POST /api/v1/lead-views",
      "PATCH /api/v1/lead-views/:id",
      "DELETE /api/v1/lead-views/:id",
      "PATCH /api/v1/team/members/:id",
      "DELETE /api/v1/team/members/:id",
      "POST /api/v1/team/invitations",
      "DELETE /api/v1/team/invitations/:id",
      "POST /api/v1/batch",
      "POST /api/v1/sandbox/clock",
    ]);
  });

  test.each(SCOPES)(
    "with the scope %s alone is 403 or is let in, as it declares",
    async (scope) => {
      const key = keys.get(scope) ?? "";
      const wrong: unknown[] = [];
      for (const { method, path, scope: needed } of operations) {
        const isIn = opens(scope, needed ?? "");
        // A body that is broken: who is let in is told so, and nobody changes anything.
        const broken = method === "POST" || method === "PATCH" ? "{" : undefined;
        if (isIn && (method === "DELETE" || broken !== undefined)) {
          continue;
        }
        const { status, asked } = await statusOf(method, path, key, broken);
        const names = asked?.includes(`scope="${needed}"`) ?? false;
        if (isIn ? status === 403 : status !== 403 || !names) {
          wrong.push([method, path, status, asked]);
        }
      }
      expect(wrong).toEqual([]);
      tried("scopes", operations.length);
    },
  );

  test.each(SCOPES)(
    "with the scope %s is asked for its body only when it is let in",
    async (scope) => {
      const key = keys.get(scope) ?? "";
      const wrong: unknown[] = [];
      for (const { method, path, scope: needed } of operations.filter(({ streams }) => !streams)) {
        if (method === "POST" || method === "PATCH") {
          const { status } = await statusOf(method, path, key, "{");
          if ((status === 400) !== opens(scope, needed ?? "")) {
            wrong.push([method, path, status]);
          }
        }
      }
      expect(wrong).toEqual([]);
    },
  );
});

test("the list of resources is the routes' own", () => {
  const used = operations.map(({ scope }) => scope?.split(":")[0] ?? "");
  const others = ["admin", "operator", ANY_SCOPE];
  expect([...new Set(used)].filter((name) => !others.includes(name)).sort()).toEqual(
    [...SCOPE_RESOURCES].sort(),
  );
});

test("HEAD needs what GET needs, and an unknown path says nothing of scopes", async () => {
  const key = keys.get("leads:read") ?? "";
  expect((await statusOf("HEAD", "/api/v1/campaigns", key)).status).toBe(403);
  expect((await statusOf("HEAD", "/api/v1/leads", key)).status).toBe(200);
  expect((await statusOf("GET", "/api/v1/nothing", key)).status).toBe(404);
  expect((await statusOf("PUT", "/api/v1/campaigns", key)).status).toBe(405);
});
