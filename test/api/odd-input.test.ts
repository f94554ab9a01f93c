/** Input that could be taken, and would mean something else than its sender meant: refused or warned of by name. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addAccount, addLeads, makeCampaign } from "../support/campaigns.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

async function post(path: string, body: string) {
  const response = await app.fetch(
    new Request(`http://localhost/api/v1${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${app.keys.test}`, "Content-Type": "application/json" },
      body,
    }),
  );
  return { status: response.status, body: await response.json() };
}

describe("400: a body", () => {
  test.each([
    ["with a field twice", '{"name":"a","name":"b"}', "name"],
    ["with a field twice, once by an escape", '{"name":"a","n\\u0061me":"b"}', "name"],
    [
      "with a field twice deep inside, after text that looks like JSON",
      '{"name":"{\\"x\\":[1,\\\\","send_window":{"days":["monday"],"start_hour":1,"start_hour":2}}',
      "send_window.start_hour",
    ],
    ["with a prototype twice", '{"__proto__":1,"__proto__":2}', "__proto__"],
    ["with half of a pair", '{"name":"a\\uD800b"}', "name"],
    ["with the other half", '{"name":"a","notes":"\\udC00\\ud800"}', "notes"],
    [
      "with half of a pair in a list",
      '{"name":"a","account_ids":["x","\\ud83d"]}',
      "account_ids.1",
    ],
    ["with half of a pair in a name", '{"send_window":{"\\ud83d":1}}', "send_window"],
  ])("%s", async (_what, text, field) => {
    const { status, body } = await post("/campaigns", text);
    expect([status, body.type, body.field]).toEqual([400, "invalid_request", field]);
  });
});

test.each([
  ["a whole pair", '{"name":"\\ud83d\\ude00"}', "😀"],
  ["the same name in two objects", '{"name":"a","send_window":{},"tracking":{}}', "a"],
  ["a colon and quotes in a text", '{"name":"a: \\"b\\": \\\\"}', 'a: "b": \\'],
])("%s is taken", async (_what, text, name) => {
  const { status, body } = await post("/campaigns", text);
  expect([status, body.name]).toEqual([201, name]);
});

describe("422: a blank name", () => {
  test.each([
    ["/campaigns", { name: "   " }, "name"],
    ["/campaigns", { name: "\u00a0\u2003" }, "name"],
    ["/keys", { name: " " }, "name"],
    [
      "/accounts",
      { email: "ann@sender.example", provider: "google", display_name: " " },
      "display_name",
    ],
  ])("%s %j", async (path, input, field) => {
    const { status, body } = await app.call("POST", path, input);
    expect([status, body.field]).toEqual([422, field]);
    expect(body.message).toContain("not blank");
  });
});

describe("422: a year after 2100", () => {
  test("of the next attempt", async () => {
    const { id } = await makeCampaign(app);
    const [lead] = await addLeads(app, id, "bob@example.com");
    const path = `/campaigns/${id}/leads/${lead.id}`;
    const at = async (next_attempt_at: string) =>
      await app.call("PATCH", path, { next_attempt_at });
    expect((await at("2101-01-01T00:00:00Z")).body.field).toBe("next_attempt_at");
    expect((await at("2100-12-31T23:59:59Z")).status).toBe(200);
  });

  test.each([
    ["/keys", { name: "k", expires_at: "2206-01-01T00:00:00Z" }, "expires_at"],
    [
      "/accounts",
      {
        email: "cy@sender.example",
        provider: "google",
        ramp: { start: 1, increment: 1, from: "2101-01-01" },
      },
      "ramp.from",
    ],
  ])("%s", async (path, input, field) => {
    const { status, body } = await app.call("POST", path, input);
    expect([status, body.field]).toEqual([422, field]);
    expect(body.message).toContain("2100");
  });
});

describe("a warning", () => {
  test("of Liquid that does not parse, in each part", async () => {
    const { id } = await makeCampaign(app, []);
    const path = `/campaigns/${id}/steps`;
    const input = { type: "email", subject: "{{ company", body: "{% if x %}" };
    const { status, body } = await app.call("POST", path, input);
    expect(status).toBe(201);
    expect(body.warning).toStartWith("subject: ");
    expect(body.warning).toContain("body: ");
    const mended = { subject: "Hi", body: "Hi" };
    expect((await app.call("PATCH", `${path}/${body.id}`, mended)).body).not.toHaveProperty(
      "warning",
    );
  });

  test("of an hourly limit above the daily one, where the request names either", async () => {
    const { id } = await addAccount(app);
    const path = `/accounts/${id}`;
    const { status, body } = await app.call("PATCH", path, { daily_limit: 20, hourly_limit: 25 });
    expect([status, body.hourly_limit]).toEqual([200, 25]);
    expect(body.warning).toStartWith("hourly_limit (25) is above daily_limit (20)");
    expect((await app.call("PATCH", path, { signature: "Ann" })).body).not.toHaveProperty(
      "warning",
    );
    expect((await app.call("PATCH", path, { daily_limit: 0 })).body).not.toHaveProperty("warning");
    expect((await app.call("GET", path)).body).not.toHaveProperty("warning");
  });
});
