/**
 * Connecting a mailbox by consent, against a real authorization server: the way there and back, and every
 * way in which it must end with nothing changed.
 */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Provider } from "#domain/mailboxes/mailbox.ts";
import { MINUTE_MS } from "#domain/time.ts";
import { createOauth, type OauthConfig } from "#mail/oauth/oauth-servers.ts";
import { systemClock } from "#platform/clock.ts";
import { createFetch } from "#platform/http/fetch.ts";
import { silentLog } from "#platform/log.ts";
import type { Mailbox, MailPort, TestOutcome } from "#platform/ports/mail.ts";
import { readEvents } from "#store/events/events.ts";
import { accountById } from "#store/mailboxes/accounts.ts";
import { recordAuthFailure } from "#usecases/mailboxes/accounts.ts";
import { mailboxOf } from "#usecases/mailboxes/mailbox.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import {
  type AuthorizationServer,
  Browser,
  CLIENT,
  startAuthorizationServer,
} from "../support/authorization-server.ts";
import { LOCAL_DNS } from "../support/dns.ts";
import { examinationOf } from "../support/examination.ts";

const PUBLIC = "http://localhost:8480";
const SECURE = "https://mail.example.com";
const BEHIND = SECURE.replace("https:", "http:");
const START_MS_MAX = 180_000;
const UP: TestOutcome = { smtp: { ok: true, error: null }, imap: { ok: true, error: null } };
const REFUSED = { ok: false, error: "535 5.7.8 refused", login: true };

/** What mail servers say of a login, and who tried. */
const servers = { outcome: UP, tried: [] as Mailbox[] };
const port: MailPort = {
  send: async () => ({ kind: "unreachable", stage: "connect", reason: "no", bodySent: false }),
  poll: async () => ({ kind: "unreachable", reason: "no", login: false }),
  watch: async () => ({ kind: "unsupported", reason: "no" }),
  find: async () => ({ kind: "uncheckable", reason: "no" }),
  sentSince: async () => ({ kind: "uncheckable", reason: "no" }),
  look: async () => ({ kind: "unreachable", reason: "no", login: false }),
  saveSent: async () => ({ kind: "failed", reason: "no" }),
  test: async (mailbox) => {
    servers.tried.push(mailbox);
    return servers.outcome;
  },
  callout: async () => ({ replies: [], ended: null }),
  examine: async (mailbox) => examinationOf(await port.test(mailbox)),
  forget: () => undefined,
  close: async () => undefined,
};

let oidc: AuthorizationServer;
let app: TestApp;
beforeAll(async () => {
  const uris = ["smtp", "google"].map((name) => `${PUBLIC}/oauth/${name}/callback`);
  oidc = await startAuthorizationServer(uris);
}, START_MS_MAX);
afterAll(() => oidc.stop());
beforeEach(async () => {
  Object.assign(servers, { outcome: UP, tried: [] });
  Object.assign(oidc, { person: "ann@example.com", isDown: false });
  app = await start();
});
afterEach(() => app.close());

function start(change: { config?: OauthConfig; publicUrl?: string | null } = {}) {
  const own = { ...CLIENT, issuer: oidc.url, scope: null };
  const config = change.config ?? { smtp: own, google: own };
  const publicUrl = change.publicUrl === undefined ? PUBLIC : change.publicUrl;
  return createTestApp({
    mail: port,
    publicUrl,
    oauth: createOauth(config, {
      clock: systemClock,
      fetch: createFetch(LOCAL_DNS),
      log: silentLog,
    }),
  });
}

const SERVER = { host: "mail.example.com" };
async function add(provider: Provider = "smtp", change: object = {}): Promise<string> {
  const input = { email: "ann@example.com", provider, smtp: SERVER, imap: SERVER, ...change };
  const { body, text } = await app.live("POST", "/accounts", input);
  if (body.id === undefined) {
    throw new Error(text);
  }
  return body.id;
}
const account = async (id: string) => (await app.live("GET", `/accounts/${id}`)).body;
const link = async (id: string) => (await app.live("POST", `/accounts/${id}/connect`)).body.url;

/** A page of ours, as the browser sees it. */
async function visit(browser: Browser, url: string) {
  const cookie = browser.cookies(url);
  const response = await app.fetch(new Request(url, { headers: cookie === "" ? {} : { cookie } }));
  browser.keep(url, response.headers);
  return {
    status: response.status,
    location: response.headers.get("location") ?? "",
    text: await response.text(),
    headers: response.headers,
  };
}

/** To the provider and back, as far as our callback's address. */
async function consent(url: string, browser = new Browser()) {
  const away = await visit(browser, url);
  return { browser, away, back: await browser.follow(away.location, PUBLIC) };
}

async function connect(id: string) {
  const { browser, back } = await consent(await link(id));
  return await visit(browser, back);
}

/** Nothing of the account has changed. */
async function expectUntouched(id: string) {
  expect(await account(id)).toMatchObject({ has_oauth: false, ready: false });
}

describe("a consent", () => {
  test("connects the mailbox: its login is proven and its token kept", async () => {
    const id = await add();
    const page = await connect(id);
    expect(page.status).toBe(200);
    expect(page.text).toContain("The mailbox is connected");
    expect(await account(id)).toMatchObject({
      ...{ has_oauth: true, ready: true, status: "active", reconnect_url: null },
    });
    const { live } = app.environments;
    const row = accountById(live.db, id);
    const box = row && mailboxOf(live, row);
    const { refreshToken = "" } = box?.oauth ?? {};
    expect(box?.oauth).toMatchObject(CLIENT);
    expect(refreshToken).not.toBe("");
    expect(servers.tried[0]?.oauth?.access?.token ?? "").not.toBe("");
    const stored = JSON.stringify(live.db.raw.query("SELECT * FROM accounts").values());
    expect(stored).not.toContain(refreshToken);
    expect(stored).not.toContain(CLIENT.clientSecret);
  });

  test("is asked for with PKCE, a state of its own and the mailbox's name", async () => {
    const { away } = await consent(await link(await add()));
    const query = new URL(away.location).searchParams;
    expect(away.status).toBe(302);
    expect(Object.fromEntries(query)).toMatchObject({
      response_type: "code",
      code_challenge_method: "S256",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      login_hint: "ann@example.com",
      redirect_uri: `${PUBLIC}/oauth/smtp/callback`,
      client_id: CLIENT.clientId,
    });
    expect(away.location).not.toContain(CLIENT.clientSecret);
    expect(away.headers.get("set-cookie")).toMatch(/HttpOnly; SameSite=Lax/);
  });

  test("is known by a cookie of this very host alone where the public address is https", async () => {
    await app.close();
    app = await start({ publicUrl: SECURE });
    const url = (await link(await add())).replace(SECURE, BEHIND);
    const browser = new Browser();
    const away = await visit(browser, url);
    expect(away.headers.get("set-cookie")).toMatch(
      /^__Host-\w+=[^;]+; Path=\/; Max-Age=900; HttpOnly; SameSite=Lax; Secure$/,
    );
    const state = new URL(away.location).searchParams.get("state");
    const back = `${BEHIND}/oauth/smtp/callback?error=access_denied&state=${state}&iss=${oidc.url}`;
    const page = await visit(browser, back);
    expect(page.text).toContain("You didn’t give consent");
    expect(page.headers.get("set-cookie")).toMatch(/^__Host-\w+=; Path=\/; Max-Age=0;.* Secure$/);
  });

  test("may be given with a client of the account's own", async () => {
    await app.close();
    app = await start({
      config: { smtp: { clientId: null, clientSecret: null, issuer: oidc.url, scope: null } },
    });
    const id = await add();
    expect((await app.live("POST", `/accounts/${id}/connect`)).body).toMatchObject({
      status: 409,
      field: "oauth.client_id",
    });
    const { clientId: client_id, clientSecret: client_secret } = CLIENT;
    await app.live("PATCH", `/accounts/${id}`, { oauth: { client_id, client_secret } });
    expect(await account(id)).toMatchObject({ has_oauth: false, has_oauth_client: true });
    expect((await connect(id)).text).toContain("is connected");
    expect(await account(id)).toMatchObject({ has_oauth: true, has_oauth_client: false });
  });

  test("is kept though the servers do not let us in yet, and says what they say", async () => {
    const id = await add();
    servers.outcome = { smtp: UP.smtp, imap: { ...REFUSED, error: "IMAP <is> disabled" } };
    const page = await connect(id);
    expect(page.text).toContain("not working yet");
    expect(page.text).toContain("IMAP &lt;is&gt; disabled");
    expect(await account(id)).toMatchObject({ has_oauth: true, status: "error", ready: false });
  });

  test("counts for a mailbox whose login has another name than its address", async () => {
    oidc.person = "login@example.com";
    const server = { ...SERVER, username: "login@example.com" };
    const id = await add("smtp", { smtp: server, imap: server });
    expect((await connect(id)).text).toContain("is connected");
  });
});

describe("nothing changes when", () => {
  test("the person declines", async () => {
    const id = await add();
    oidc.person = null;
    const page = await connect(id);
    expect([page.status, page.text]).toEqual([
      400,
      expect.stringContaining("You didn’t give consent"),
    ]);
    await expectUntouched(id);
  });

  test("somebody else signs in", async () => {
    const id = await add();
    oidc.person = "bob@example.com";
    const page = await connect(id);
    expect(page.text).toContain("you signed in as bob@example.com");
    await expectUntouched(id);
    expect(servers.tried).toEqual([]);
  });

  test("the answer comes twice", async () => {
    const id = await add();
    const { browser, back } = await consent(await link(id));
    const [first, second] = [await visit(browser, back), await visit(browser, back)];
    expect(first.status).toBe(200);
    expect([second.status, second.text]).toEqual([400, expect.stringContaining("no longer works")]);
  });

  test("the answer comes too late", async () => {
    const id = await add();
    const { browser, back } = await consent(await link(id));
    app.wall.move(15 * MINUTE_MS);
    expect((await visit(browser, back)).text).toContain("no longer works");
    await expectUntouched(id);
  });

  test("the answer comes to another browser", async () => {
    const id = await add();
    const { back } = await consent(await link(id));
    expect((await visit(new Browser(), back)).text).toContain("another browser");
    await expectUntouched(id);
  });

  test("the answer comes to another provider's address", async () => {
    const id = await add();
    const { browser, back } = await consent(await link(id));
    const page = await visit(browser, back.replace("/oauth/smtp/", "/oauth/google/"));
    expect(page.text).toContain("a different provider");
    await expectUntouched(id);
  });

  test("another server sent the answer", async () => {
    const id = await add();
    const { browser, back } = await consent(await link(id));
    const url = new URL(back);
    url.searchParams.set("iss", "https://evil.example");
    expect((await visit(browser, url.href)).text).toContain("a different authorization server");
    await expectUntouched(id);
  });

  test.each([
    ["a code that is none", "code", "nonsense", "didn’t grant access"],
    ["a state that is none", "state", "nonsense", "no longer works"],
    ["an endless parameter", "session_state", "x".repeat(5_000), "no longer works"],
  ])("the answer holds %s", async (_name, parameter, value, words) => {
    const id = await add();
    const { browser, back } = await consent(await link(id));
    const url = new URL(back);
    url.searchParams.set(parameter, value);
    expect((await visit(browser, url.href)).text).toContain(words);
    await expectUntouched(id);
  });

  test("the code was another consent's", async () => {
    const id = await add();
    const mine = await consent(await link(id));
    const other = await consent(await link(await add("smtp", { email: "ann2@example.com" })));
    const url = new URL(mine.back);
    url.searchParams.set("code", new URL(other.back).searchParams.get("code") ?? "");
    expect((await visit(mine.browser, url.href)).text).toContain("didn’t grant access");
    await expectUntouched(id);
  });

  test("the token endpoint is down", async () => {
    const id = await add();
    const { browser, back } = await consent(await link(id));
    oidc.isDown = true;
    expect((await visit(browser, back)).text).toContain("didn’t grant access");
    await expectUntouched(id);
  });

  test("the account is gone by then", async () => {
    const id = await add();
    const { browser, back } = await consent(await link(id));
    await app.live("DELETE", `/accounts/${id}`);
    expect((await visit(browser, back)).status).toBe(400);
  });
});

describe("a link", () => {
  test("works until a newer one is made, and for its provider only", async () => {
    const id = await add();
    const older = await link(id);
    const newer = await link(id);
    expect((await visit(new Browser(), older)).text).toContain("no longer works");
    const elsewhere = newer.replace("/oauth/smtp/", "/oauth/google/");
    expect((await visit(new Browser(), elsewhere)).text).toContain("no longer works");
    expect((await visit(new Browser(), newer)).status).toBe(302);
  });

  test.each(["", "?ticket=", "?ticket=abc", `?ticket=${"x".repeat(5_000)}`, "?ticket=a&ticket=b"])(
    "%p leads nowhere",
    async (query) => {
      const page = await visit(new Browser(), `${PUBLIC}/oauth/smtp/start${query}`);
      expect([page.status, page.location]).toEqual([400, ""]);
    },
  );

  test("ends after a quarter of an hour", async () => {
    const url = await link(await add());
    app.wall.move(15 * MINUTE_MS);
    expect((await visit(new Browser(), url)).text).toContain("no longer works");
  });

  test("that an authorization server cannot honour now says so", async () => {
    await app.close();
    const away = { ...CLIENT, issuer: "http://127.0.0.1:1", scope: null };
    app = await start({ config: { smtp: away } });
    expect((await visit(new Browser(), await link(await add()))).text).toContain(
      "reach the authorization server",
    );
  });

  test.each([
    ["without a public address", { publicUrl: null }, "smtp", /public_url/],
    ["without a server", { config: {} }, "smtp", /oauth_smtp_issuer/],
    ["without a client", { config: {} }, "google", /oauth_google_client_id/],
  ] as const)("is not made %s", async (_name, change, provider, words) => {
    await app.close();
    app = await start(change);
    const { status, body } = await app.live("POST", `/accounts/${await add(provider)}/connect`);
    expect([status, body.message]).toEqual([409, expect.stringMatching(words)]);
  });
});

describe("a grant that has died", () => {
  test("puts the account in error with a link that needs no key, and that connects it again", async () => {
    const id = await add();
    await connect(id);
    const { live } = app.environments;
    await live.commit(() => recordAuthFailure(live, id, "invalid_grant: revoked"));
    const { reconnect_url: url, status } = await account(id);
    expect([status, url]).toEqual(["error", expect.stringContaining("/oauth/smtp/start?ticket=")]);
    const events = readEvents(live.db, app.team.id, { after: 0, limit: 100 });
    expect(events.find(({ type }) => type === "account.error")?.data).toMatchObject({
      reconnect_url: url,
    });
    const { browser, back } = await consent(url);
    expect((await visit(browser, back)).text).toContain("is connected");
    expect(await account(id)).toMatchObject({ status: "active", ready: true, reconnect_url: null });
    expect((await visit(new Browser(), url)).text).toContain("no longer works");
  });
});

describe("in the sandbox", () => {
  test("a page of ours stands for the provider, and goes back to nowhere else", async () => {
    const made = await app.call("POST", "/accounts", {
      email: "eve@example.com",
      provider: "google",
    });
    const { url } = (await app.call("POST", `/accounts/${made.body.id}/connect`)).body;
    const browser = new Browser();
    const away = await visit(browser, url);
    const page = await visit(browser, away.location);
    expect(page.text).toContain("eve@example.com");
    const [agree = "", decline = ""] = [...page.text.matchAll(/href="(\/oauth[^"]+)"/g)].map(
      ([, path]) => PUBLIC + (path ?? "").replaceAll("&amp;", "&"),
    );
    const forged = new URL(away.location);
    forged.searchParams.set("redirect_uri", "https://evil.example/oauth/google/callback");
    expect((await visit(browser, forged.href)).status).toBe(400);
    expect((await visit(browser, agree)).text).toContain("is connected");
    expect((await visit(browser, decline)).text).toContain("no longer works");
    const { body } = await app.call("GET", `/accounts/${made.body.id}`);
    expect(body.has_oauth).toBe(true);
  });
});
