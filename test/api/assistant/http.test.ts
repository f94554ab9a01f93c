/**
 * Guarantees of `/mcp`: a key of the API and what its scopes allow, no pages of other origins, no sessions,
 * bodies of a limited size, and tools that refuse what they don't know.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startTestServer, type TestServer } from "../../support/running-app.ts";

let server: TestServer;
const keys = { admin: "", reader: "" };

beforeAll(async () => {
  server = await startTestServer({ public_url: "https://outrider.example" });
  keys.admin = await server.keyOf("test");
  keys.reader = await server.keyOf("test", ["campaigns:read"]);
});
afterAll(() => server.stop());

function post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.url}/mcp`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${keys.admin}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

function rpc(method: string, params: Record<string, unknown> = {}) {
  return { jsonrpc: "2.0", id: 1, method, params };
}

/** The result, whether it comes as JSON or as an event. */
async function result(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text();
  const json = text.startsWith("{") ? text : (/^data: (\{.*)$/m.exec(text)?.[1] ?? "");
  return JSON.parse(json).result;
}

test("401 without a key, as everywhere", async () => {
  const response = await post(rpc("tools/list"), { Authorization: "Bearer outrider_test_x" });
  expect(response.status).toBe(401);
  expect(response.headers.get("www-authenticate")).toStartWith("Bearer");
});

describe("A page in a browser", () => {
  test("of another origin is refused", async () => {
    for (const Origin of ["https://evil.example", "null", "http://outrider.example"]) {
      expect((await post(rpc("tools/list"), { Origin })).status).toBe(403);
    }
  });

  test("of the console's own is not", async () => {
    const response = await post(rpc("tools/list"), { Origin: "https://outrider.example" });
    expect(response.status).toBe(200);
  });
});

test("a key is offered what its scopes allow, and no more", async () => {
  const headers = { Authorization: `Bearer ${keys.reader}` };
  const offered = await result(await post(rpc("tools/list"), headers));
  const names = (offered["tools"] as { name: string }[]).map(({ name }) => name);
  expect(names).toContain("list_campaigns");
  expect(names).not.toContain("create_campaign");
  expect(names).not.toContain("list_leads");
  const call = rpc("tools/call", { name: "create_campaign", arguments: { name: "x" } });
  expect(await result(await post(call, headers))).toMatchObject({ isError: true });
  const indirect = { operation: "createCampaign", arguments: { name: "x" } };
  const other = rpc("tools/call", { name: "call_operation", arguments: indirect });
  expect(await result(await post(other, headers))).toMatchObject({ isError: true });
});

test("there are no sessions: nothing to open, to keep or to end", async () => {
  const headers = { Authorization: `Bearer ${keys.admin}`, Accept: "text/event-stream" };
  for (const method of ["GET", "DELETE"]) {
    expect((await fetch(`${server.url}/mcp`, { method, headers })).status).toBe(405);
  }
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  };
  const response = await post(rpc("initialize", params));
  expect(response.status).toBe(200);
  expect(response.headers.get("mcp-session-id")).toBeNull();
});

test("what is no request, or too large, is refused", async () => {
  expect((await post("{")).status).toBe(400);
  expect((await post(rpc("tools/list"), { "Content-Type": "text/plain" })).status).toBe(415);
  expect((await post(`{"a":"${"x".repeat(9 * 1024 * 1024)}"}`)).status).toBe(413);
});

describe("A tool", () => {
  const call = async (name: string, input: Record<string, unknown>) => {
    const { content, isError } = (await result(
      await post(rpc("tools/call", { name, arguments: input })),
    )) as { content: { text: string }[]; isError: boolean };
    return { ...JSON.parse(content[0]?.text ?? ""), isError };
  };

  test("names an argument that it doesn't have, and the nearest that it has", async () => {
    expect(await call("create_campaign", { name: "A", evergren: true })).toMatchObject({
      ...{ isError: true, field: "evergren", type: "validation_error" },
      message: 'is not an argument of this operation; did you mean "evergreen"?',
    });
    expect(await call("find_operations", { words: "x", limit: 1 })).toMatchObject({
      ...{ isError: true, field: "limit" },
    });
    const nested = { name: "A", send_window: { start_our: 9 } };
    expect(await call("create_campaign", nested)).toMatchObject({
      ...{ isError: true, field: "send_window.start_our", status: 422 },
      request_id: expect.any(String),
    });
  });

  test("refuses what can't stand in an address", async () => {
    expect(await call("list_campaigns", { limit: { a: 1 } })).toMatchObject({
      ...{ isError: true, field: "limit" },
    });
    expect(await call("get_campaign", { id: "../keys" })).toMatchObject({ isError: true });
  });

  test("returns a list too long for one answer in shorter pages that go on", async () => {
    const { id } = await call("create_campaign", { name: "Long" });
    const notes = "ä".repeat(900);
    const leads = Array.from({ length: 150 }, (_, n) => ({
      ...{ email: `max@long-${n}.example`, variables: { notes } },
    }));
    await call("import_campaign_leads", { id, leads });
    const seen = new Set<string>();
    let after: string | undefined;
    do {
      const page = await call("list_leads", {
        limit: 100,
        ...(after === undefined ? {} : { after }),
      });
      expect(JSON.stringify(page).length).toBeLessThan(100_100);
      for (const { email } of page.data) {
        seen.add(email);
      }
      after = page.next_cursor ?? undefined;
    } while (after !== undefined);
    expect(seen.size).toBe(150);
  });
});
