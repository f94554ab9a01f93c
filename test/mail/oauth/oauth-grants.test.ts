/**
 * Mailboxes with a grant, from end to end: a real authorization server that replaces refresh tokens and
 * may refuse our client, and real mail servers that ask it about every access token. Without the packages
 * or root it is skipped, except in CI.
 */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import { recover } from "#engine/recover.ts";
import { createEngine } from "#engine/run.ts";
import { createWorkers } from "#engine/workers.ts";
import { createOauth } from "#mail/oauth/oauth-servers.ts";
import { createFetch } from "#platform/http/fetch.ts";
import { type Log, type LogFields, silentLog } from "#platform/log.ts";
import type { MailPort, ServerLogin } from "#platform/ports/mail.ts";
import type { OauthPort } from "#platform/ports/oauth.ts";
import { readEvents } from "#store/events/events.ts";
import { accountById } from "#store/mailboxes/accounts.ts";
import { recordAuthFailure } from "#usecases/mailboxes/accounts.ts";
import { keepRefreshToken } from "#usecases/mailboxes/credentials.ts";
import { mailboxOf } from "#usecases/mailboxes/mailbox.ts";
import { ROUND_THE_CLOCK } from "../../journeys/days.ts";
import {
  type MailServer,
  missingForMailServer,
  skipsMailServer,
  startMailServer,
} from "../../mailserver/mailserver.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import {
  type AuthorizationServer,
  Browser,
  CLIENT,
  startAuthorizationServer,
} from "../../support/authorization-server.ts";
import { addLeads, makeCampaign } from "../../support/campaigns.ts";
import { LOCAL_DNS } from "../../support/dns.ts";
import { localMailPort } from "../support.ts";

const title = "mailboxes with a grant";
if (skipsMailServer()) {
  const why = `skipped: the mail server ${missingForMailServer()}`;
  test.skipIf(true)(`${title} (${why})`, () => undefined);
} else {
  describe(title, () => grants());
}

const PUBLIC = "http://localhost:8480";
const START_MS_MAX = 120_000;
const SENDERS = ["sender1@out.test", "sender2@out.test"] as const;
const LEADS = ["alice@acme.test", "bob@globex.test", "seed1@gmailish.test"];
const UNLIMITED = { daily_limit: 2000, hourly_limit: 500, min_gap_seconds: 2, max_gap_seconds: 2 };

function grants(): void {
  let oidc: AuthorizationServer;
  let mail: MailServer;
  let app: TestApp;
  let port: MailPort;
  let logged: { message: string; fields: LogFields | undefined }[] = [];

  beforeAll(async () => {
    oidc = await startAuthorizationServer([`${PUBLIC}/oauth/smtp/callback`]);
    mail = await startMailServer({ loadUsers: 0, oauthUrl: oidc.introspectionUrl });
  }, START_MS_MAX);
  afterAll(async () => {
    await mail?.stop();
    await oidc?.stop();
  }, START_MS_MAX);
  beforeEach(async () => {
    Object.assign(oidc, { isDown: false, inPlace: null, endsFirst: false });
    logged = [];
    configure(CLIENT.clientSecret);
    const clock = { now: () => app.wall.now() };
    port = localMailPort({
      ...{ ca: mail.ca, clock, log, oauth },
      onRotated: (accountId, token, older) => {
        const { db, vault, commit } = app.environments.live;
        const rotated = { db, vault, accountId, token, older, now: app.wall.now() };
        return commit(() => keepRefreshToken(rotated));
      },
    });
    app = await createTestApp({ publicUrl: PUBLIC, mail: port, oauth, log });
  });
  afterEach(() => app.close());

  const note = (message: string, fields?: LogFields) => void logged.push({ message, fields });
  const log: Log = { ...silentLog, warn: note };
  let settings: OauthPort;
  /** As after a start with these settings. */
  function configure(clientSecret: string, clientId = CLIENT.clientId): void {
    const clock = { now: () => app.wall.now() };
    const config = { smtp: { clientId, clientSecret, issuer: oidc.url, scope: null } };
    settings = createOauth(config, { clock, fetch: createFetch(LOCAL_DNS), log });
  }
  const oauth: OauthPort = {
    knows: (provider) => settings.knows(provider),
    client: (provider) => settings.client(provider),
    server: (provider) => settings.server(provider),
    exchange: (provider, request) => settings.exchange(provider, request),
    refresh: (...given) => settings.refresh(...given),
    workspaceToken: (...given) => settings.workspaceToken(...given),
    clientFaults: () => settings.clientFaults(),
  };

  async function visit(browser: Browser, url: string): Promise<Response> {
    const cookie = browser.cookies(url);
    const response = await app.fetch(
      new Request(url, { headers: cookie === "" ? {} : { cookie } }),
    );
    browser.keep(url, response.headers);
    return response;
  }

  /** The page on which the way of a person's browser ends. */
  async function follow(link: string): Promise<string> {
    const browser = new Browser();
    const away = await visit(browser, link);
    const back = await browser.follow(away.headers.get("location") ?? "", PUBLIC);
    return await (await visit(browser, back)).text();
  }

  async function connected(email: string): Promise<string> {
    const { smtp, imap } = mail.mailbox(email);
    const at = (server: ServerLogin | null) => server && { ...server, password: undefined };
    const input = { email, provider: "smtp", smtp: at(smtp), imap: at(imap), ...UNLIMITED };
    const { id } = (await app.live("POST", "/accounts", input)).body;
    oidc.person = email;
    const { url } = (await app.live("POST", `/accounts/${id}/connect`)).body;
    expect(await follow(url)).toContain("is connected");
    return id;
  }

  const account = async (id: string) => (await app.live("GET", `/accounts/${id}`)).body;
  const tryIt = async (id: string) =>
    (await app.live("POST", `/accounts/${id}/test`, { send: false })).body;
  const stored = (id: string) => {
    const row = accountById(app.environments.live.db, id);
    return (row && mailboxOf(app.environments.live, row).oauth?.refreshToken) ?? "";
  };
  const errors = () =>
    readEvents(app.environments.live.db, app.team.id, { after: 0, limit: 100 }).filter(
      ({ type }) => type === "account.error",
    );

  /** Every access token that we hold is over by our clock. */
  const outlive = () => app.wall.move(2 * HOUR_MS);

  async function run(ms: number): Promise<void> {
    const clock = { advanceTo: (at: UnixMs) => app.wall.set(at), hold: () => () => undefined };
    const env = app.environments.live;
    await createEngine(env, createWorkers(env)).advance(clock, plus(app.wall.now(), ms));
  }

  /** A campaign that is to send one email from each of `accounts` to each of `LEADS`. */
  async function launch(accounts: readonly string[]): Promise<() => Promise<string[]>> {
    const live: TestApp = { ...app, call: app.live };
    const { id } = await makeCampaign(live, [{ type: "email", subject: "Offer", body: "Hello" }]);
    const window = { send_window: ROUND_THE_CLOCK, account_ids: accounts };
    await app.live("PATCH", `/campaigns/${id}`, window);
    const leads = await addLeads(live, id, ...LEADS);
    expect((await app.live("POST", `/campaigns/${id}/start`)).status).toBe(200);
    return async () => {
      const found = await Promise.all(
        leads.map((lead) => app.live("GET", `/campaigns/${id}/leads/${lead.id}`)),
      );
      return found.map(({ body }) => `${body.status} ${body.attempts}`);
    };
  }

  describe("a refresh token that is replaced during a test of the connection is stored:", () => {
    test("by a person's request", async () => {
      const id = await connected(SENDERS[0]);
      const first = stored(id);
      expect(await tryIt(id)).toMatchObject(WORKS);
      expect(stored(id)).not.toBe(first);
      outlive();
      port.forget(id);
      expect(await tryIt(id)).toMatchObject(WORKS);
    });

    test("before the mailbox is connected", async () => {
      oidc.endsFirst = true;
      const id = await connected(SENDERS[0]);
      const granted = oidc.asked.slice(-2).map((form) => form.get("grant_type"));
      expect(granted).toEqual(["authorization_code", "refresh_token"]);
      outlive();
      port.forget(id);
      expect(await tryIt(id)).toMatchObject(WORKS);
    });
  });

  describe("a client that the server does not accept", () => {
    test("is the operator's to fix: mailboxes wait, nobody else is told, and all go on", async () => {
      const ids = [await connected(SENDERS[0]), await connected(SENDERS[1])];
      const progress = await launch(ids);
      outlive();
      configure("expired");
      const before = oidc.questions;
      await run(6 * HOUR_MS);
      for (const id of ids) {
        expect(await account(id)).toMatchObject({
          ...{ status: "active", ready: true, reconnect_url: null },
          last_error: expect.stringContaining("its operator has to fix: invalid_client"),
        });
      }
      expect(errors()).toEqual([]);
      expect(await progress()).toEqual(LEADS.map(() => "pending 0"));
      const told = logged.filter(({ message }) => message.includes("OAuth client"));
      expect(told).toHaveLength(1);
      expect(oauth.clientFaults()).toMatchObject([
        {
          provider: "smtp",
          clientId: CLIENT.clientId,
          reason: expect.stringMatching(/^invalid_client/),
        },
      ]);
      // Twice each time, in both ways of showing the secret.
      const questions = oidc.questions - before;
      expect(questions).toBeGreaterThan(10);
      expect(questions).toBeLessThan(80);
      const { steps } = await tryIt(ids[0] ?? "");
      expect(JSON.stringify(steps)).toContain("Ask the operator to fix it");

      configure(CLIENT.clientSecret);
      await run(15 * MINUTE_MS);
      expect(await progress()).toEqual(LEADS.map(() => "completed 0"));
      expect(oauth.clientFaults()).toEqual([]);
    });

    test("is tried again by itself, where the secret is put right with the provider", async () => {
      const id = await connected(SENDERS[0]);
      outlive();
      oidc.inPlace = () => Response.json({ error: "invalid_client" }, { status: 401 });
      await run(3 * HOUR_MS);
      expect(oauth.clientFaults()).toHaveLength(1);
      oidc.inPlace = null;
      await run(HOUR_MS);
      expect(oauth.clientFaults()).toEqual([]);
      expect(await account(id)).toMatchObject({ status: "active", last_error: null });
    });

    test("keeps nobody from being connected for good", async () => {
      const id = await connected(SENDERS[0]);
      configure("expired");
      const smtp = { port: mail.ports.SMTPS, security: "tls" };
      await app.live("PATCH", `/accounts/${id}`, { smtp });
      await run(6 * HOUR_MS);
      expect(await account(id)).toMatchObject({ status: "active", ready: false });
      configure(CLIENT.clientSecret);
      await run(2 * HOUR_MS);
      expect(await account(id)).toMatchObject({ status: "active", ready: true });
    });

    test("and had put mailboxes in error before is asked once more at a start", async () => {
      const id = await connected(SENDERS[0]);
      const { live } = app.environments;
      await live.commit(() => recordAuthFailure(live, id, "invalid_client: expired"));
      expect((await account(id)).status).toBe("error");
      await recover(live);
      await run(MINUTE_MS);
      expect(await account(id)).toMatchObject({ status: "active", ready: true });
    });

    test("may have been replaced by another: mailboxes of the former wait for either", async () => {
      const id = await connected(SENDERS[0]);
      outlive();
      configure("another's", "another");
      await run(HOUR_MS);
      expect(await account(id)).toMatchObject({ status: "active", reconnect_url: null });
      expect(oauth.clientFaults()[0]?.reason).toContain("connected with the client outrider");
      configure(CLIENT.clientSecret);
      await run(2 * HOUR_MS);
      expect(await account(id)).toMatchObject({ status: "active", last_error: null });
    });
  });

  test.each(["interaction_required", "consent_required", "login_required", "invalid_grant"])(
    "%s asks the owner to agree anew, and that is enough",
    async (error) => {
      const id = await connected(SENDERS[0]);
      outlive();
      oidc.inPlace = () => Response.json({ error }, { status: 400 });
      await run(10 * MINUTE_MS);
      const { status, status_reason, reconnect_url } = await account(id);
      expect([status, status_reason]).toEqual(["error", "auth"]);
      expect(errors()).toHaveLength(1);
      oidc.inPlace = null;
      expect(await follow(reconnect_url)).toContain("is connected");
      expect(await account(id)).toMatchObject({ status: "active", ready: true });
    },
  );

  test.each([
    ["a page of HTML", 200, "<html>maintenance</html>", {}],
    ["a refusal in HTML", 400, "<html>blocked</html>", {}],
    ["too many requests", 429, '{"error":"invalid_grant"}', {}],
    ["a broken server", 500, '{"error":"invalid_client"}', {}],
    ["a server at rest", 503, "", { "retry-after": "7200" }],
  ])("%s in place of an answer refuses no login", async (_name, status, body, headers) => {
    const id = await connected(SENDERS[0]);
    const progress = await launch([id]);
    outlive();
    const before = oidc.questions;
    oidc.inPlace = () => new Response(body, { status, headers });
    await run(55 * MINUTE_MS);
    expect(await account(id)).toMatchObject({ status: "active", ready: true });
    expect(await progress()).toEqual(LEADS.map(() => "pending 0"));
    const questions = oidc.questions - before;
    expect(status === 503 ? questions === 1 : questions > 5).toBe(true);
    oidc.inPlace = null;
    await run(15 * MINUTE_MS);
    expect(await progress()).toEqual(LEADS.map(() => "completed 0"));
    expect(errors()).toEqual([]);
  });
}

const WORKS = { smtp: { ok: true, error: null }, imap: { ok: true, error: null } };
