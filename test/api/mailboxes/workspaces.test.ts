/** `/workspaces` over HTTP: what is taken, what is shown, and what never is. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { HOUR_MS } from "#domain/time.ts";
import type { OauthPort, WorkspaceOutcome } from "#platform/ports/oauth.ts";
import { createSandboxOauth } from "#sandbox/oauth.ts";
import { createLive, type LiveApp } from "../../engine/support.ts";
import { serviceAccount } from "../../support/delegation.ts";

const PUBLIC = "http://localhost:8480";
const GOOGLE = serviceAccount([]).file;
const MICROSOFT = {
  ...{ provider: "microsoft", domains: ["Example.com"], client_id: "app-id" },
  client_secret: "canary-secret",
};

let live: LiveApp;
let outcome: WorkspaceOutcome;
const granted = (): WorkspaceOutcome => {
  return { kind: "granted", access: { token: "t", expiresAt: live.app.wall.now() } };
};
beforeEach(async () => {
  const clock = { now: () => live.app.wall.now() };
  const oauth: OauthPort = {
    ...createSandboxOauth(clock, PUBLIC),
    workspaceToken: async () => outcome,
  };
  live = await createLive({ oauth, publicUrl: PUBLIC });
  outcome = granted();
});
afterEach(() => live.app.close());

const add = (body: object) => live.call("POST", "/workspaces", body);

describe("POST /workspaces", () => {
  test("201: Google, with the page on which an administrator agrees", async () => {
    const { status, body, text } = await add({
      ...{ provider: "google", domains: ["example.com"], service_account_key: GOOGLE },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...{ status: "waiting", tenant: null, redirect_uri: null, accounts: 0, remedy: null },
      scope: "https://mail.google.com/",
      consent_url:
        "https://admin.google.com/ac/owl/domainwidedelegation?clientIdToAdd=104020305060708090100&clientScopeToAdd=https%3A%2F%2Fmail.google.com%2F&overwriteClientId=true",
    });
    expect(text).not.toContain("PRIVATE");
    const stored = JSON.stringify(live.env.db.raw.query("SELECT * FROM workspaces").values());
    expect(stored).not.toContain("PRIVATE");
  });

  test("201: Microsoft, whose tenant is that of the first domain", async () => {
    const { body, text } = await add(MICROSOFT);
    expect(body).toMatchObject({
      ...{ domains: ["example.com"], tenant: "example.com", client_id: "app-id" },
      redirect_uri: `${PUBLIC}/oauth/microsoft/workspace`,
    });
    const url = new URL(body.consent_url);
    expect(url.origin + url.pathname).toBe(
      "https://login.microsoftonline.com/example.com/adminconsent",
    );
    expect(url.searchParams.get("client_id")).toBe("app-id");
    expect(url.searchParams.get("redirect_uri")).toBe(body.redirect_uri);
    expect(text).not.toContain("canary-secret");
  });

  const small = generateKeyPairSync("rsa", { modulusLength: 1_024 }).privateKey;
  const withKey = (change: object) => JSON.stringify({ ...JSON.parse(GOOGLE), ...change });
  test.each([
    ["no key", "service_account_key", { provider: "google" }],
    ["no JSON", "service_account_key", { provider: "google", service_account_key: "hello" }],
    [
      "an OAuth client's file",
      "service_account_key",
      { provider: "google", service_account_key: '{"web": {"client_id": "x"}}' },
    ],
    [
      "a short key",
      "service_account_key",
      {
        provider: "google",
        service_account_key: withKey({
          private_key: small.export({ format: "pem", type: "pkcs8" }).toString(),
        }),
      },
    ],
    ["Google with a tenant", "tenant", { provider: "google", tenant: "x.example" }],
    ["no client", "client_id", { provider: "microsoft" }],
    ["no secret", "client_secret", { provider: "microsoft", client_id: "x" }],
    [
      "Microsoft with a key",
      "service_account_key",
      { ...MICROSOFT, service_account_key: "{}", domains: ["example.com"] },
    ],
    ["a tenant that is a path", "tenant", { ...MICROSOFT, tenant: "a/../b" }],
    ["no domain", "domains", { ...MICROSOFT, domains: [] }],
  ])("422: %s", async (_name, field, change) => {
    const { status, body } = await add({ domains: ["example.com"], ...change });
    expect({ status, field: body.field }).toEqual({ status: 422, field });
  });
});

describe("accounts of a workspace", () => {
  test("take the provider's servers alone, so that nobody has a token sent elsewhere", async () => {
    const { id } = (await add(MICROSOFT)).body;
    const made = await live.call("POST", `/workspaces/${id}/accounts`, {
      emails: ["ann@example.com", "ANN@example.com"],
    });
    expect(made.body).toMatchObject({ connected: 2, failed: 0 });
    const account = made.body.data[0].id;
    expect(made.body.data[1].id).toBe(account);
    for (const change of [
      { smtp: { host: "evil.example" } },
      { imap: { host: "evil.example" } },
      { smtp: { username: "boss@example.com" } },
      { oauth: { client_id: "a", client_secret: "b", refresh_token: "c" } },
    ]) {
      const { status, body } = await live.call("PATCH", `/accounts/${account}`, change);
      expect({ status, field: body.field }).toEqual({
        ...{ status: 422, field: Object.keys(change)[0] },
      });
    }
    // On its own again, it has nothing to log in with.
    const alone = await live.call("PATCH", `/accounts/${account}`, { workspace_id: null });
    expect(alone.body).toMatchObject({ workspace_id: null, not_ready_reason: "no_credentials" });
  });

  test("one with a password logs in by the workspace from now on, and keeps no password", async () => {
    const { id } = (await add(MICROSOFT)).body;
    const own = { email: "ann@example.com", provider: "microsoft", smtp: { password: "p4ssword" } };
    const before = (await live.call("POST", "/accounts", own)).body;
    const { body } = await live.call("POST", `/workspaces/${id}/accounts`, {
      emails: ["ann@example.com"],
    });
    expect(body.data[0]).toMatchObject({ id: before.id, connected: true });
    const after = (await live.call("GET", `/accounts/${before.id}`)).body;
    expect(after).toMatchObject({ workspace_id: id, has_smtp_password: false, ready: true });
  });

  test("another team's workspace, another provider's, and another domain's are refused", async () => {
    const { id } = (await add(MICROSOFT)).body;
    const other = await live.app.addTeam("Other");
    const cases: [object, string?][] = [
      [{ email: "a@example.com", provider: "microsoft", workspace_id: id }, other.keys.live],
      [{ email: "a@example.com", provider: "google", workspace_id: id }],
      [{ email: "a@elsewhere.example", provider: "microsoft", workspace_id: id }],
    ];
    for (const [body, key] of cases) {
      const answer = await live.call("POST", "/accounts", body, key === undefined ? {} : { key });
      expect({ status: answer.status, field: answer.body.field }).toEqual({
        ...{ status: 422, field: "workspace_id" },
      });
    }
    const foreign = await live.call("GET", `/workspaces/${id}`, undefined, {
      key: other.keys.live,
    });
    expect(foreign.status).toBe(404);
  });

  test("come by CSV, and are tried by themselves", async () => {
    const { id } = (await add(MICROSOFT)).body;
    const emails = Array.from({ length: 50 }, (_, at) => `m${at}@example.com`);
    const lines = emails.map((email) => `${email},microsoft,${id},25`);
    const file = ["email,provider,workspace_id,daily_limit", ...lines].join("\n");
    const { body } = await live.call("POST", "/accounts/import", file, {
      headers: { "Content-Type": "text/csv" },
    });
    expect(body).toMatchObject({ created: 50, failed: 0 });
    await live.run(HOUR_MS);
    const { data } = (await live.call("GET", "/accounts")).body;
    expect(data.filter(({ ready }: { ready: boolean }) => ready).length).toBe(50);
  });
});

describe("the consent", () => {
  test("is waited for without noise, and seen when the administrator is back", async () => {
    const reason =
      "unauthorized_client: AADSTS700016: Application with identifier 'app-id' was not found";
    outcome = { kind: "revoked", reason };
    const { id, consent_url } = (await add(MICROSOFT)).body;
    const emails = ["ann@example.com", "bob@example.com"];
    const added = await live.call("POST", `/workspaces/${id}/accounts`, { emails });
    await live.call("POST", `/workspaces/${id}/check`);
    const { body } = await live.call("GET", `/workspaces/${id}`);
    expect(body).toMatchObject({ status: "waiting", last_error: reason, accounts: 2 });
    expect(live.events()).toEqual([]);
    const state = new URL(consent_url).searchParams.get("state") ?? "";
    const back = async (query: string) => {
      const url = `${PUBLIC}/oauth/microsoft/workspace?${query}`;
      const response = await live.app.fetch(new Request(url));
      return { status: response.status, text: await response.text() };
    };
    // What the browser claims counts for nothing.
    const claimed = await back(`state=${state}&admin_consent=True&tenant=x`);
    expect(claimed).toMatchObject({ status: 400 });
    expect(claimed.text).toContain("AADSTS700016");
    outcome = granted();
    expect((await back("state=forged&admin_consent=True")).status).toBe(400);
    expect((await live.call("GET", `/workspaces/${id}`)).body.status).toBe("waiting");
    expect((await back(`state=${state}&admin_consent=True`)).status).toBe(200);
    expect((await live.call("GET", `/workspaces/${id}`)).body.status).toBe("connected");
    await live.run(HOUR_MS);
    for (const { id: account } of added.body.data) {
      expect((await live.call("GET", `/accounts/${account}`)).body.ready).toBe(true);
    }
    expect(live.events()).toEqual(["workspace.connected"]);
  });

  test("is told once when it ends, however often it is looked at, and once when it is back", async () => {
    const { id } = (await add(MICROSOFT)).body;
    await live.call("POST", `/workspaces/${id}/accounts`, { emails: ["ann@example.com"] });
    await live.call("POST", `/workspaces/${id}/check`);
    outcome = { kind: "revoked", reason: "invalid_client: AADSTS7000215: Invalid client secret" };
    for (let times = 0; times < 3; times += 1) {
      await live.call("POST", `/workspaces/${id}/check`);
    }
    expect((await live.call("GET", `/workspaces/${id}`)).body.status).toBe("refused");
    outcome = granted();
    const renewed = await live.call("PATCH", `/workspaces/${id}`, { client_secret: "another" });
    expect(renewed.status).toBe(200);
    await live.run(HOUR_MS);
    expect(live.events()).toEqual([
      "workspace.connected",
      "workspace.refused",
      "workspace.connected",
    ]);
  });

  test("deleting the workspace leaves its accounts without credentials", async () => {
    const { id } = (await add(MICROSOFT)).body;
    const { body } = await live.call("POST", `/workspaces/${id}/accounts`, {
      emails: ["ann@example.com"],
    });
    expect((await live.call("DELETE", `/workspaces/${id}`)).status).toBe(204);
    const account = (await live.call("GET", `/accounts/${body.data[0].id}`)).body;
    expect(account).toMatchObject({ workspace_id: null, not_ready_reason: "no_credentials" });
    expect((await live.call("GET", `/workspaces/${id}`)).status).toBe(404);
  });
});
