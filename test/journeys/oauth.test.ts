/**
 * From a person's consent to the first email, and on: the executable, a real authorization server, and
 * mail servers that take its tokens. Tokens that end, are replaced or are withdrawn in the middle of a
 * campaign cost no lead an attempt.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import {
  freePorts,
  type MailServer,
  mailsOf,
  missingForMailServer,
  skipsMailServer,
  startMailServer,
} from "../mailserver/mailserver.ts";
import {
  type AuthorizationServer,
  Browser,
  CLIENT,
  startAuthorizationServer,
} from "../support/authorization-server.ts";
import { type Server, startServer, temporaryDirectory } from "../support/executable.ts";
import { ROUND_THE_CLOCK } from "./days.ts";
import { enroll } from "./mail.ts";
import { type Call, caller, campaignLeads, createCampaign, done, until } from "./support.ts";

const SENDER = "sender1@out.test";
const LEADS = 6;
/** Of an access token, in the test of those that end: several of them in one campaign. */
const SHORT_LIFE_SECONDS = 4;
const EFFECT_MS_MAX = 60_000;
const TEST_MS_MAX = 240_000;

const title = "A mailbox connected by consent";
if (skipsMailServer()) {
  test.skipIf(true)(
    `${title} (skipped: the mail server ${missingForMailServer()})`,
    () => undefined,
  );
} else {
  describe(title, journey);
}

function journey(): void {
  const directory = temporaryDirectory();
  let oidc: AuthorizationServer;
  let mail: MailServer;
  let server: Server;
  let call: Call;
  let id: string;

  beforeAll(async () => {
    const [port = 0] = await freePorts(1);
    const publicUrl = `http://127.0.0.1:${port}`;
    oidc = await startAuthorizationServer([`${publicUrl}/oauth/google/callback`]);
    oidc.lifeSeconds = SHORT_LIFE_SECONDS;
    mail = await startMailServer({
      loadUsers: 3 * LEADS,
      oauthUrl: oidc.introspectionUrl,
      // So that each email is a login of its own.
      smtpIdleSeconds: 1,
    });
    server = await startServer({
      data: join(directory.path, "data"),
      port,
      env: {
        OUTRIDER_ALLOW_CIDRS: "127.0.0.0/8,::1/128",
        OUTRIDER_MAIL_CA_FILE: join(mail.dir, "tls/cert.pem"),
        OUTRIDER_PUBLIC_URL: publicUrl,
        OUTRIDER_RATE_LIMIT: "0",
        OUTRIDER_POLL_SECONDS: "1",
        OUTRIDER_IMAP_CONNECTIONS: "0",
        OUTRIDER_LOG_LEVEL: "warn",
        OUTRIDER_OAUTH_GOOGLE_CLIENT_ID: CLIENT.clientId,
        OUTRIDER_OAUTH_GOOGLE_CLIENT_SECRET: CLIENT.clientSecret,
        OUTRIDER_OAUTH_GOOGLE_ISSUER: oidc.url,
      },
    });
    const { key } = await server.createKey("live");
    call = caller(server, key);
    const box = mail.mailbox(SENDER);
    const at = ({ host, port: number, security }: NonNullable<typeof box.smtp>) => {
      return { host, port: number, security };
    };
    const account = await done(
      call("POST", "/accounts", {
        ...{ email: SENDER, provider: "google" },
        ...{ daily_limit: 2000, hourly_limit: 500, min_gap_seconds: 2, max_gap_seconds: 2 },
        ...(box.smtp && { smtp: at(box.smtp) }),
        imap: { ...(box.imap && at(box.imap)), save_sent: true },
      }),
    );
    id = account.id;
  }, TEST_MS_MAX);
  afterAll(async () => {
    // What a failed start left undefined was never begun.
    await server?.[Symbol.asyncDispose]();
    await mail?.stop();
    await oidc?.stop();
    directory[Symbol.dispose]();
  }, TEST_MS_MAX);

  /** The way of a person's browser; returns the page on which it ends. */
  async function connect(url: string): Promise<string> {
    const browser = new Browser();
    const back = await browser.follow(url, `${server.url}/oauth/google/callback`);
    const page = await fetch(back, { headers: { cookie: browser.cookies(back) } });
    return await page.text();
  }

  /** A running campaign to mailboxes of the server from `first` on. */
  async function launch(name: string, first: number): Promise<{ campaign: string; to: string[] }> {
    const campaign = await createCampaign(call, {
      ...{ name, send_window: ROUND_THE_CLOCK, account_ids: [id], max_leads_per_day: 1000 },
    });
    const step = { type: "email", subject: name, body: "Hello" };
    await done(call("POST", `/campaigns/${campaign}/steps`, step));
    const to = Array.from({ length: LEADS }, (_, n) => `u${first + n}@load.test`);
    await enroll(call, campaign, to);
    await done(call("POST", `/campaigns/${campaign}/start`));
    return { campaign, to };
  }

  async function sent(campaign: string, count: number): Promise<void> {
    await until(EFFECT_MS_MAX, `${count} are sent`, async () => {
      const stats = await done(call("GET", `/campaigns/${campaign}/stats`));
      return stats.sent >= count ? stats.sent : undefined;
    });
  }

  /** Everybody got the email once, in one attempt. */
  async function expectOneAttemptEach(campaign: string, to: readonly string[]): Promise<void> {
    const [{ subject }] = (await done(call("GET", `/campaigns/${campaign}/steps`))).data;
    await until(EFFECT_MS_MAX, "all have arrived", async () => {
      const boxes = await Promise.all(to.map((lead) => mailsOf(mail, lead)));
      const counts = boxes.map((box) => box.filter(({ raw }) => raw.includes(subject)).length);
      expect(Math.max(...counts)).toBeLessThanOrEqual(1);
      return counts.every((count) => count === 1) ? true : undefined;
    });
    for (const lead of await campaignLeads(call, campaign)) {
      expect(lead).toMatchObject({ status: "completed", hold_reason: null, attempts: 0 });
    }
    const events = await done(call("GET", "/events?limit=100"));
    const failed = events.data.filter(
      ({ type, data }: { type: string; data: { campaign_id?: string } }) =>
        data.campaign_id === campaign && /^email\.(deferred|failed|bounced)$/.test(type),
    );
    expect(failed).toEqual([]);
  }

  test(
    "a person follows the link, agrees, and the mailbox is ready",
    async () => {
      oidc.person = SENDER;
      const { url } = await done(call("POST", `/accounts/${id}/connect`));
      expect(await connect(url)).toContain("The mailbox is connected");
      const account = await done(call("GET", `/accounts/${id}`));
      expect(account).toMatchObject({ status: "active", ready: true, has_oauth: true });
      const tested = await done(call("POST", `/accounts/${id}/test`));
      expect(tested.steps.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([]);
      expect(JSON.stringify(tested.steps)).toContain("with an access token");
    },
    TEST_MS_MAX,
  );

  test(
    "the first email goes out; tokens that end and are replaced on the way cost no attempt",
    async () => {
      const before = oidc.asked.length;
      const { campaign, to } = await launch("Short lives", 1);
      await sent(campaign, LEADS);
      await expectOneAttemptEach(campaign, to);
      const renewals = oidc.asked
        .slice(before)
        .filter((form) => form.get("grant_type") === "refresh_token");
      expect(renewals.length).toBeGreaterThan(1);
      const used = renewals.map((form) => form.get("refresh_token"));
      expect(new Set(used).size).toBe(used.length);
    },
    TEST_MS_MAX,
  );

  test(
    "a token endpoint that is down for a while costs no attempt",
    async () => {
      const { campaign, to } = await launch("Endpoint down", 1 + LEADS);
      await sent(campaign, 2);
      oidc.isDown = true;
      const resting = await until(EFFECT_MS_MAX, "the mailbox rests", async () => {
        const account = await done(call("GET", `/accounts/${id}`));
        return account.backoff_until === null ? undefined : account;
      });
      expect(resting).toMatchObject({ status: "active", consecutive_smtp_errors: 0 });
      for (const lead of await campaignLeads(call, campaign)) {
        expect(lead.attempts).toBe(0);
      }
      oidc.isDown = false;
      // Another way to the server is tried at once; else the rest would last five minutes.
      const smtp = { port: mail.ports.SMTPS, security: "tls" };
      await done(call("PATCH", `/accounts/${id}`, { smtp }));
      await sent(campaign, LEADS);
      await expectOneAttemptEach(campaign, to);
    },
    TEST_MS_MAX,
  );

  test(
    "a consent that is withdrawn stops the mailbox with a link; agreeing anew goes on, and nobody lost an attempt",
    async () => {
      const { campaign, to } = await launch("Withdrawn", 1 + 2 * LEADS);
      await oidc.revokeAll();
      const account = await until(EFFECT_MS_MAX, "the account is in error", async () => {
        const found = await done(call("GET", `/accounts/${id}`));
        return found.status === "error" ? found : undefined;
      });
      const { status_reason, last_error, reconnect_url } = account;
      expect([status_reason, last_error]).toEqual([
        "auth",
        expect.stringContaining("invalid_grant"),
      ]);
      expect(reconnect_url).toContain("/oauth/google/start?ticket=");
      for (const lead of await campaignLeads(call, campaign)) {
        expect(lead).toMatchObject({ attempts: 0, hold_reason: null, stop_reason: null });
      }
      oidc.lifeSeconds = 3_600;
      expect(await connect(reconnect_url)).toContain("The mailbox is connected");
      await sent(campaign, LEADS);
      await expectOneAttemptEach(campaign, to);
    },
    TEST_MS_MAX,
  );
}
