/**
 * Guarantees of every response, whatever asked for it: no browser guesses its type, frames it, or loads
 * anything for it but what is our own, and a text says in which characters it is written.
 */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../support/app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ docs: true });
});
afterAll(() => app.close());

const PATHS = [
  ...["/live", "/welcome", "/ui/nothing.js", "/assets/page.css", "/console/door", "/nothing"],
  ...["/healthz", "/readyz", "/metrics", "/mcp", "/u/nothing", "/t/o/nothing", "/t/c/nothing"],
  ...["/docs", "/docs/guide/api", "/docs/guide/api.md", "/docs/guide/nothing", "/llms.txt"],
  ...["/sdk/", "/oauth/google/start", "/console/sso/callback", "/api/v1/openapi.json"],
  ...["/api/v1/campaigns", "/api/v1/exports/suppressions", "/api/v1/nothing", "/.git/config"],
];

const ask = (path: string, method = "GET") =>
  app.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { Authorization: `Bearer ${app.keys.live}` },
    }),
  );

test.each(PATHS)("%s", async (path) => {
  const response = await ask(path);
  const { headers } = response;
  const policy = headers.get("content-security-policy") ?? "";
  for (const part of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]) {
    expect(policy.split("; ")).toContain(part);
  }
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  const type = headers.get("content-type") ?? "";
  if ((await response.text()) !== "") {
    expect(type).toMatch(/^(?:application\/[\w.+-]+|text\/[\w-]+; ?charset=utf-8)(?:;|$)/i);
  }
});

test("a request by TRACE is sent back to nobody", async () => {
  const response = await ask("/healthz", "TRACE");
  expect(response.status).toBe(405);
  expect(await response.text()).not.toContain(app.keys.live);
});
