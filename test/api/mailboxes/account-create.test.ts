/** The HTTP contract of `POST /accounts`: what is filled in, and everything that is refused. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../../support/app.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const SERVER = { host: "smtp.example.com", port: 465, security: "tls", username: "ann" };

describe("POST /accounts", () => {
  test("201: address and provider are enough; the rest takes its defaults", async () => {
    const input = { email: " Ann@Example.COM ", provider: "google" };

    const { status, body, headers } = await app.call("POST", "/accounts", input);

    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`/api/v1/accounts/${body.id}`);
    expect(body).toEqual({
      id: body.id,
      team_id: app.team.id,
      email: "ann@example.com",
      provider: "google",
      status: "active",
      status_reason: null,
      ready: true,
      not_ready_reason: null,
      display_name: null,
      signature: null,
      timezone: "UTC",
      daily_limit: 30,
      hourly_limit: 10,
      provider_limits: {},
      verify_addresses: false,
      min_gap_seconds: 180,
      max_gap_seconds: null,
      aliases: [],
      send_as: null,
      ramp: null,
      smtp: { host: "smtp.gmail.com", port: 465, security: "tls", username: "ann@example.com" },
      imap: {
        host: "imap.gmail.com",
        port: 993,
        security: "tls",
        username: "ann@example.com",
        save_sent: false,
      },
      has_smtp_password: false,
      has_imap_password: false,
      has_oauth: false,
      has_oauth_client: false,
      workspace_id: null,
      reconnect_url: null,
      health_score: 100,
      consecutive_smtp_errors: 0,
      last_error: null,
      backoff_until: null,
      unconfirmed_since: null,
      verify_addresses_problem: null,
      refused_by: [],
      created_at: "2026-03-02T15:00:00.000Z",
      updated_at: "2026-03-02T15:00:00.000Z",
    });
  });

  test("201: in live it is active and says that it lacks credentials", async () => {
    const { status, body } = await app.live("POST", "/accounts", {
      email: "ann@example.com",
      provider: "microsoft",
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: "active",
      ready: false,
      not_ready_reason: "no_credentials",
      smtp: { host: "smtp.office365.com", port: 587, security: "starttls" },
      imap: { host: "outlook.office365.com", port: 993, security: "tls", save_sent: false },
    });
  });

  test("201: everything settable is stored as given", async () => {
    const fields = {
      display_name: "Ann Sender",
      signature: "Ann\nAcme",
      timezone: "Europe/Berlin",
      daily_limit: 2000,
      hourly_limit: 0,
      min_gap_seconds: 0,
      max_gap_seconds: 600,
      smtp: SERVER,
      imap: { ...SERVER, port: 143, security: "starttls", save_sent: false },
      ramp: { start: 5, increment: 2, from: "2026-02-28" },
    };
    const input = { email: "ann@example.com", provider: "smtp", ...fields };
    const { status, body } = await app.call("POST", "/accounts", input);
    expect(status).toBe(201);
    expect(body).toMatchObject(fields);
  });

  test("201: the user name, the port and how it is secured are filled in", async () => {
    const { body } = await app.call("POST", "/accounts", {
      email: "ann@example.com",
      provider: "smtp",
      smtp: { host: "SMTP.Example.com" },
      imap: { host: "imap.example.com", port: 143 },
    });
    const username = "ann@example.com";
    expect(body.smtp).toEqual({
      host: "smtp.example.com",
      port: 587,
      security: "starttls",
      username,
    });
    expect(body.imap).toMatchObject({ port: 143, security: "starttls", save_sent: true });
  });

  test("201: a ramp begins on the local day on which it is set", async () => {
    const { body } = await app.call("POST", "/accounts", {
      email: "ann@example.com",
      provider: "smtp",
      timezone: "Pacific/Auckland",
      ramp: { start: 5, increment: 2 },
    });
    expect(body.ramp).toEqual({ start: 5, increment: 2, from: "2026-03-03" });
  });

  test.each([
    ["no email", { provider: "smtp" }, "email"],
    ["no provider", { email: "a@example.com" }, "provider"],
    ["no address", made({ email: "ann" }), "email"],
    ["a display name in the address", made({ email: "Ann <a@example.com>" }), "email"],
    ["a line end in the address", made({ email: "a@example.com\r\nx" }), "email"],
    ["an unknown provider", made({ provider: "pigeon" }), "provider"],
    ["an unknown field", made({ colour: "red" }), "colour"],
    ["a read-only field", made({ health_score: 1 }), "health_score"],
    ["a line end in the name", made({ display_name: "Ann\r\nBcc: x@example.com" }), "display_name"],
    ["a NUL in the signature", made({ signature: "a\u0000b" }), "signature"],
    ["a long signature", made({ signature: "x".repeat(10_001) }), "signature"],
    ["a zone that is none", made({ timezone: "Mars/Olympus" }), "timezone"],
    ["an offset for a zone", made({ timezone: "+02:00" }), "timezone"],
    ["a negative limit", made({ daily_limit: -1 }), "daily_limit"],
    ["a daily limit too high", made({ daily_limit: 2001 }), "daily_limit"],
    ["an hourly limit too high", made({ hourly_limit: 501 }), "hourly_limit"],
    ["half a message", made({ daily_limit: 1.5 }), "daily_limit"],
    ["a number as text", made({ hourly_limit: "5" }), "hourly_limit"],
    ["gaps that cross", made({ max_gap_seconds: 179 }), "max_gap_seconds"],
    ["a gap of more than a day", made({ min_gap_seconds: 86_401 }), "min_gap_seconds"],
    ["a ramp from nothing", made({ ramp: { start: 0, increment: 1 } }), "ramp.start"],
    ["a ramp without increment", made({ ramp: { start: 1 } }), "ramp.increment"],
    [
      "a ramp from no day",
      made({ ramp: { start: 1, increment: 1, from: "2026-02-30" } }),
      "ramp.from",
    ],
    ["servers without a host", made({ smtp: { port: 25 } }), "smtp.host"],
    ["a URL for a host", made({ smtp: { host: "http://x.example" } }), "smtp.host"],
    ["a host with a port", made({ imap: { host: "x.example:993" } }), "imap.host"],
    ["a line end in the host", made({ imap: { host: "x.example\r\n" } }), "imap.host"],
    ["a port out of range", made({ smtp: { ...SERVER, port: 65_536 } }), "smtp.port"],
    [
      "a line end in the user name",
      made({ smtp: { ...SERVER, username: "a\nb" } }),
      "smtp.username",
    ],
    ["an open line", made({ smtp: { ...SERVER, security: "none" } }), "smtp.security"],
    [
      "OAuth for plain SMTP",
      made({ oauth: { client_id: "x", client_secret: "y", refresh_token: "z" } }),
      "oauth",
    ],
    [
      "half an OAuth client",
      made({ provider: "google", oauth: { client_id: "x" } }),
      "oauth.client_secret",
    ],
  ])("422: %s is named, and nothing is stored", async (_name, input, field) => {
    const { status, body } = await app.call("POST", "/accounts", input);
    expect(status).toBe(422);
    expect(body).toMatchObject({ type: "validation_error", field, status: 422 });
    expect((await app.call("GET", "/accounts")).body.data).toEqual([]);
  });

  test.each(["localhost", "127.0.0.1", "127.1", "::1", "[::1]"])(
    "201: security none towards this machine, %s",
    async (host) => {
      const input = made({ smtp: { host, security: "none", username: "" } });
      const { status, body } = await app.call("POST", "/accounts", input);
      expect(status).toBe(201);
      expect(body.smtp).toMatchObject({ port: 25, security: "none", username: "" });
    },
  );

  test("422: the provider sandbox on a live key", async () => {
    const input = { email: "ann@example.com", provider: "sandbox" };
    expect((await app.live("POST", "/accounts", input)).body).toMatchObject({
      status: 422,
      field: "provider",
    });
    expect((await app.call("POST", "/accounts", input)).status).toBe(201);
  });

  test("409: a second account with the same address, in any case, in the same environment", async () => {
    const input = { email: "ann@example.com", provider: "smtp" };
    await app.call("POST", "/accounts", input);
    const again = await app.call("POST", "/accounts", { ...input, email: "ANN@example.com" });
    expect(again.body).toMatchObject({ type: "conflict", field: "email", status: 409 });
    expect((await app.live("POST", "/accounts", input)).status).toBe(201);
    const other = await app.addTeam("Other");
    expect((await app.call("POST", "/accounts", input, { key: other.keys.test })).status).toBe(201);
  });

  test("201: the same Idempotency-Key gets the first answer and makes one account", async () => {
    const input = {
      email: "ann@example.com",
      provider: "smtp",
      smtp: { ...SERVER, password: "p" },
    };
    const headers = { "Idempotency-Key": "one" };
    const first = await app.call("POST", "/accounts", input, { headers });
    const second = await app.call("POST", "/accounts", input, { headers });
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect((await app.call("GET", "/accounts")).body.data).toHaveLength(1);
  });

  test("400, 415: what is no JSON", async () => {
    expect((await app.call("POST", "/accounts", "{")).body.type).toBe("invalid_request");
    const headers = { "Content-Type": "text/plain" };
    expect((await app.call("POST", "/accounts", "{}", { headers })).status).toBe(415);
  });
});

function made(fields: object) {
  return { email: "ann@example.com", provider: "smtp", ...fields };
}
