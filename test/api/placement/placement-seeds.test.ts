/** The HTTP contract of `/placement/seeds`: what a seed needs, keeps secret, and never is. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { seedById } from "#store/placement/placement-seeds.ts";
import { keepRefreshToken } from "#usecases/mailboxes/credentials.ts";
import { seedMailbox } from "#usecases/placement/placement-seeds.ts";
import { type Answer, createTestApp, START, type TestApp } from "../../support/app.ts";
import { addAccount, addLeads, makeCampaign } from "../../support/campaigns.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const UNKNOWN = "00000000-0000-7000-8000-00000000dead";
const SECRETS = [
  "imap-secret-1",
  "imap-secret-2",
  "oauth-secret",
  "refresh-secret",
  "rotated-token",
];
const IMAP = { host: "imap.acme.test", password: "imap-secret-1" };
const add = (email = "seed@gmail.com", body: object = {}) =>
  app.call("POST", "/placement/seeds", { email, ...body });
const addLive = (body: object = { imap: IMAP }, email = "seed@acme.test") =>
  app.live("POST", "/placement/seeds", { email, ...body });

describe("POST /placement/seeds", () => {
  test("201: in the sandbox an address is enough", async () => {
    const { status, body, headers } = await add(" Seed@Gmail.com ");
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`/api/v1/placement/seeds/${body.id}`);
    expect(body).toEqual({
      id: body.id,
      team_id: app.team.id,
      email: "seed@gmail.com",
      status: "active",
      provider: "google",
      imap: {
        host: "imap.gmail.com",
        port: 993,
        security: "tls",
        username: "seed@gmail.com",
      },
      has_imap_password: false,
      has_oauth: false,
      tabs: null,
      junk_folder: null,
      last_looked_at: null,
      last_error: null,
      created_at: "2026-03-02T15:00:00.000Z",
      updated_at: "2026-03-02T15:00:00.000Z",
    });
    expect((await app.call("GET", `/placement/seeds/${body.id}`)).body).toEqual(body);
  });

  test("201: in live with a server and a password, which no response returns", async () => {
    const { status, body, text } = await addLive();
    expect(status).toBe(201);
    expect(body).toMatchObject({ provider: "custom", has_imap_password: true, has_oauth: false });
    expect(text).not.toContain("imap-secret");
    expect((await app.live("GET", "/placement/seeds")).text).not.toContain("imap-secret");
  });

  test.each([
    ["no address", {}, "email"],
    ["no address at all", { email: "nobody" }, "email"],
    ["an unknown field", { email: "a@acme.test", smtp: {} }, "smtp"],
    ["a status that it takes by itself", { email: "a@acme.test", status: "error" }, "status"],
    ["a host that is none", { email: "a@acme.test", imap: { host: "a b" } }, "imap.host"],
    [
      "a plain connection to elsewhere",
      { email: "a@acme.test", imap: { host: "imap.acme.test", security: "none" } },
      "imap.security",
    ],
    [
      "half of an OAuth login",
      { email: "a@acme.test", oauth: { provider: "google", client_id: "x" } },
      "oauth.client_secret",
    ],
  ])("422: %s is named", async (_name, body, field) => {
    const answer = await app.call("POST", "/placement/seeds", body);
    expect(answer).toMatchObject({ status: 422, body: { type: "validation_error", field } });
    expect((await app.call("GET", "/placement/seeds")).body.total).toBe(0);
  });

  test.each([
    ["a server of an unknown provider", {}, "seed@acme.test", "imap.host"],
    ["a secret", { imap: { host: "imap.acme.test" } }, "seed@acme.test", "imap.password"],
    ["a secret, where the server is known", {}, "seed@gmail.com", "imap.password"],
  ])("422: live needs %s", async (_name, body, email, field) => {
    const answer = await addLive(body, email);
    expect(answer).toMatchObject({ status: 422, body: { field } });
  });

  test("409: an address is one seed, no account, and nobody who is being written to", async () => {
    await add();
    expect(await add("SEED@gmail.com")).toMatchObject({ status: 409, body: { field: "email" } });
    await addAccount(app, "ann@sender.example");
    expect((await add("ann@sender.example")).status).toBe(409);
    const { id } = await makeCampaign(app);
    const [lead] = await addLeads(app, id, "bob@example.com");
    expect((await add("bob@example.com")).status).toBe(409);
    await app.call("PATCH", `/campaigns/${id}/leads/${lead.id}`, { status: "completed" });
    expect((await add("bob@example.com")).status).toBe(201);
  });
});

describe("a seed", () => {
  test("is never enrolled: an import skips it and says why", async () => {
    await add();
    const { id } = await makeCampaign(app);
    const leads = [{ email: "Seed@gmail.com" }, { email: "bob@example.com" }];
    const { body } = await app.call("POST", `/campaigns/${id}/leads`, { leads });
    expect(body).toMatchObject({
      imported: 1,
      skipped: 1,
      errors: [],
      skipped_details: [{ email: "Seed@gmail.com", reason: "placement_seed" }],
    });
  });

  test("of one team is nothing to another", async () => {
    const { body } = await add();
    const other = await app.addTeam("Other");
    const path = `/placement/seeds/${body.id}`;
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const change = method === "PATCH" ? {} : undefined;
      const answer = await app.call(method, path, change, { key: other.keys.test });
      expect(answer).toMatchObject({ status: 404, body: { type: "not_found" } });
    }
    const seeds = await app.call("GET", "/placement/seeds", undefined, { key: other.keys.test });
    expect(seeds.body.total).toBe(0);
    expect((await app.call("POST", `/placement/seeds/${UNKNOWN}/test`)).status).toBe(404);
    expect((await app.live("GET", path)).status).toBe(404);
  });

  test("needs the scope: read to look, write to change", async () => {
    const key = async (...scopes: string[]) =>
      (await app.call("POST", "/keys", { name: "k", scopes })).body.key as string;
    const [reads, other] = [await key("placement:read"), await key("campaigns:write")];
    const as = (key: string) => ({ key });
    expect((await app.call("GET", "/placement/seeds", undefined, as(reads))).status).toBe(200);
    const body = { email: "a@acme.test" };
    expect((await app.call("POST", "/placement/seeds", body, as(reads))).status).toBe(403);
    expect((await app.call("GET", "/placement/runs", undefined, as(other))).status).toBe(403);
  });
});

describe("PATCH /placement/seeds/{id}", () => {
  const patch = (id: string, body: object, headers = {}): Promise<Answer> =>
    app.live("PATCH", `/placement/seeds/${id}`, body, { headers });

  test("200: GET, edit, PATCH; nothing changed leaves it alone; a stale tag is refused", async () => {
    const { body } = await addLive();
    const read = await app.live("GET", `/placement/seeds/${body.id}`);
    app.wall.move(1000);
    expect((await patch(body.id, read.body)).body).toEqual(read.body);
    const etag = read.headers.get("etag") ?? "";
    const paused = await patch(body.id, { status: "paused" }, { "If-Match": etag });
    expect(paused.body).toMatchObject({ status: "paused", updated_at: "2026-03-02T15:00:01.000Z" });
    expect((await patch(body.id, { status: "active" }, { "If-Match": etag })).status).toBe(412);
  });

  test("422: another address is another seed", async () => {
    const { body } = await addLive();
    const answer = await patch(body.id, { email: "other@acme.test" });
    expect(answer).toMatchObject({ status: 422, body: { field: "email" } });
    expect((await patch(body.id, { status: "error" })).status).toBe(409);
  });

  test("422: a stored secret never follows to another host", async () => {
    const { body } = await addLive();
    const moved = await patch(body.id, { imap: { host: "imap.evil.test" } });
    expect(moved).toMatchObject({ status: 422, body: { field: "imap.password" } });
    const both = await patch(body.id, { imap: { host: "imap.b.test", password: "imap-secret-2" } });
    expect(both).toMatchObject({ status: 200, body: { imap: { host: "imap.b.test" } } });
    expect(mailboxOf(body.id).imap?.password).toBe("imap-secret-2");
  });

  test("an OAuth login is kept sealed, and a token that replaces it too", async () => {
    const oauth = {
      provider: "microsoft",
      client_id: "client",
      client_secret: "oauth-secret",
      refresh_token: "refresh-secret",
    };
    const { body } = await addLive({ oauth }, "seed@outlook.com");
    expect(body).toMatchObject({ has_oauth: true, has_imap_password: false });
    const { live } = app.environments;
    const renew = { db: live.db, vault: live.vault, accountId: body.id, token: "rotated-token" };
    const older = ["refresh-secret"];
    await live.commit(() => keepRefreshToken({ ...renew, older, now: START }));
    expect(mailboxOf(body.id)).toMatchObject({
      provider: "microsoft",
      imap: { password: null },
      oauth: { refreshToken: "rotated-token" },
    });
    const file = live.db.raw.serialize().toString("latin1");
    for (const secret of SECRETS) {
      expect(file.includes(secret)).toBe(false);
    }
  });

  function mailboxOf(id: string) {
    const { live } = app.environments;
    const row = seedById(live.db, id);
    if (row === undefined) {
      throw new Error("no such seed");
    }
    return seedMailbox(live, row);
  }
});

describe("POST /placement/seeds/{id}/test", () => {
  test("200: says that it works, or why not, in words", async () => {
    const { body } = await add();
    const works = await app.call("POST", `/placement/seeds/${body.id}/test`);
    expect(works).toMatchObject({
      status: 200,
      body: { ok: true, error: null, login_refused: false, seed: { junk_folder: "Spam" } },
    });
    const faults = { auth_failures: [body.id] };
    expect((await app.call("PATCH", "/sandbox/settings", { faults })).status).toBe(200);
    const refused = await app.call("POST", `/placement/seeds/${body.id}/test`);
    expect(refused.body).toMatchObject({
      ok: false,
      login_refused: true,
      error: expect.stringContaining("credentials"),
      seed: { status: "error" },
    });
    const live = (await addLive()).body;
    const away = await app.live("POST", `/placement/seeds/${live.id}/test`);
    expect(away.body).toMatchObject({
      ok: false,
      login_refused: false,
      error: "this test has no mail servers",
      seed: { status: "active", last_error: "this test has no mail servers" },
    });
  });
});
