/**
 * Guarantees of the setting `cors_origins`: pages of the sites in it read the API with a key of their own, and
 * no other page does; a session of the console is never among what they can use.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readConfig } from "#config/config.ts";
import { ConfigError } from "#config/values.ts";
import { startTestServer, type TestServer } from "../support/running-app.ts";

const OURS = "https://app.example";
const THEIRS = "https://evil.example";
let server: TestServer;
let closed: TestServer;
let key: string;

beforeAll(async () => {
  server = await startTestServer({ cors_origins: `${OURS}, http://localhost:5173` });
  closed = await startTestServer();
  key = await server.keyOf("test");
});
afterAll(async () => {
  await server.stop();
  await closed.stop();
});

async function ask(
  path: string,
  headers: Record<string, string>,
  { method = "GET", at = server }: { method?: string; at?: TestServer } = {},
) {
  const response = await fetch(`${at.url}${path}`, { method, headers });
  await response.body?.cancel();
  const cors = [...response.headers].filter(([name]) => name.startsWith("access-control-"));
  return {
    status: response.status,
    cors: Object.fromEntries(cors),
    vary: response.headers.get("vary"),
  };
}

const PREFLIGHT = {
  "Access-Control-Request-Method": "PATCH",
  "Access-Control-Request-Headers": "authorization,content-type,if-match",
};

describe("A preflight", () => {
  const options = { method: "OPTIONS" };

  test("of a page of a site in the setting needs no key, and names what may be sent", async () => {
    const { status, cors, vary } = await ask(
      "/api/v1/campaigns",
      { Origin: OURS, ...PREFLIGHT },
      options,
    );
    expect({ status, vary }).toEqual({ status: 204, vary: "Origin" });
    expect(cors["access-control-allow-origin"]).toBe(OURS);
    expect(cors["access-control-allow-methods"]).toContain("PATCH");
    const allowed = cors["access-control-allow-headers"]?.toLowerCase().split(", ");
    expect(allowed).toEqual(
      expect.arrayContaining(["authorization", "content-type", "idempotency-key", "if-match"]),
    );
    expect(cors).not.toHaveProperty("access-control-allow-credentials");
  });

  test("of another site's page is refused like any request without a key", async () => {
    const { status, cors } = await ask(
      "/api/v1/campaigns",
      { Origin: THEIRS, ...PREFLIGHT },
      options,
    );
    expect({ status, cors }).toEqual({ status: 401, cors: {} });
  });

  test.each(["/live/api/v1/campaigns", "/test/api/v1/campaigns", "/session", "/metrics"])(
    "for %s, where a session or another key counts, says nothing",
    async (path) => {
      expect((await ask(path, { Origin: OURS, ...PREFLIGHT }, options)).cors).toEqual({});
    },
  );
});

describe("A response", () => {
  const authorized = () => ({ Authorization: `Bearer ${key}` });

  test.each(["/api/v1/campaigns", "/api/v1/exports/leads", "/api/v1/openapi.json"])(
    "of %s may be read by the site's page, with the headers that a client needs",
    async (path) => {
      const { status, cors, vary } = await ask(path, { Origin: OURS, ...authorized() });
      expect({ status, vary }).toEqual({ status: 200, vary: "Origin" });
      expect(cors["access-control-allow-origin"]).toBe(OURS);
      expect(cors["access-control-expose-headers"]).toContain("Retry-After");
      expect(cors).not.toHaveProperty("access-control-allow-credentials");
    },
  );

  test("that is a refusal may be read, too", async () => {
    const refused = await ask("/api/v1/campaigns", { Origin: OURS });
    expect([refused.status, refused.cors["access-control-allow-origin"]]).toEqual([401, OURS]);
    const missing = await ask("/api/v1/nothing", { Origin: OURS, ...authorized() });
    expect([missing.status, missing.cors["access-control-allow-origin"]]).toEqual([404, OURS]);
  });

  test.each([THEIRS, "null", `${OURS}.evil.example`, "http://app.example", `${OURS}:8443`])(
    "may not be read by a page of %s",
    async (Origin) => {
      const { status, cors, vary } = await ask("/api/v1/campaigns", { Origin, ...authorized() });
      expect({ status, cors, vary }).toEqual({ status: 200, cors: {}, vary: "Origin" });
    },
  );

  test("says nothing where the setting is off", async () => {
    const off = { Authorization: `Bearer ${await closed.keyOf("test")}` };
    const read = await ask("/api/v1/campaigns", { Origin: OURS, ...off }, { at: closed });
    expect(read).toEqual({ status: 200, cors: {}, vary: null });
    const asked = { method: "OPTIONS", at: closed };
    const before = await ask("/api/v1/campaigns", { Origin: OURS, ...PREFLIGHT }, asked);
    expect({ status: before.status, cors: before.cors }).toEqual({ status: 401, cors: {} });
  });

  test("of the console's own calls says nothing, whoever asks", async () => {
    const { cors } = await ask("/test/api/v1/campaigns", { Origin: OURS, Cookie: "outrider=x" });
    expect(cors).toEqual({});
  });
});

test.each(["*", "app.example", "https://app.example/", "https://app.example/x", "ftp://a.example"])(
  "%s is no origin",
  (cors_origins) => {
    const read = () => readConfig({ flags: { cors_origins }, env: {}, workingDir: "/" });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow("cors_origins (flag --cors-origins): must be origins like");
  },
);
