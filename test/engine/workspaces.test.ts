/**
 * A workspace from end to end against servers that are not ours: assertions are verified by `jose`, tokens are
 * `oidc-provider`'s, and fifty mailboxes log in by XOAUTH2 to a Dovecot that asks about each token, and send through
 * a Postfix that has Dovecot judge its logins. Both stand under Google's names, on Google's ports.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import { createMailPort } from "#mail/mail-port.ts";
import { createOauth } from "#mail/oauth/oauth-servers.ts";
import { createFetch } from "#platform/http/fetch.ts";
import { parseCidrs } from "#platform/http/guard.ts";
import { silentLog } from "#platform/log.ts";
import { readEvents } from "#store/events/events.ts";
import { ROUND_THE_CLOCK } from "../journeys/days.ts";
import {
  type MailServer,
  mailsOf,
  skipsMailServer,
  startMailServer,
} from "../mailserver/mailserver.ts";
import {
  type AuthorizationServer,
  startAuthorizationServer,
} from "../support/authorization-server.ts";
import { type Delegation, serviceAccount } from "../support/delegation.ts";
import { tableDns } from "../support/dns.ts";
import { createLive, type LiveApp } from "./support.ts";

const START_MS_MAX = 180_000;
const NAMES = ["smtp.gmail.com", "imap.gmail.com"];
const EMAILS = Array.from({ length: 50 }, (_, at) => `u${at + 1}@load.test`);
const GONE = "u51@load.test";
const LEADS = Array.from({ length: 100 }, (_, at) => `u${at + 101}@load.test`);

describe.skipIf(skipsMailServer())("fifty mailboxes of one workspace", () => {
  let idp: AuthorizationServer;
  let delegation: Delegation;
  let key: string;
  let servers: MailServer;
  let live: LiveApp;
  let workspace: string;

  beforeAll(async () => {
    const account = serviceAccount(EMAILS);
    ({ delegation, file: key } = account);
    idp = await startAuthorizationServer(["http://127.0.0.1/none"], { delegation });
    servers = await startMailServer({ oauthUrl: idp.introspectionUrl, names: NAMES });
    const dns = tableDns(Object.fromEntries(NAMES.map((name) => [name, [servers.host]])));
    const clock = { now: () => live.app.wall.now() };
    const settings = { clientId: null, clientSecret: null, issuer: idp.url, scope: null };
    const parts = { clock, fetch: createFetch(tableDns({})), log: silentLog };
    const oauth = createOauth({ google: settings }, parts);
    live = await createLive({
      oauth,
      mail: ({ onWorkspace }) =>
        createMailPort({
          ...{ dns, clock, log: silentLog, oauth, onWorkspace, ca: servers.ca },
          ...{ allowCidrs: parseCidrs("127.0.0.0/8"), onRotated: () => undefined },
        }),
    });
    delegation.now = () => new Date(live.app.wall.now());
  }, START_MS_MAX);
  afterAll(async () => {
    await live.app.close();
    await Promise.all([servers.stop(), idp.stop()]);
  }, START_MS_MAX);

  const accounts = async () => (await live.call("GET", "/accounts")).body.data;
  const shown = async () => (await live.call("GET", `/workspaces/${workspace}`)).body;
  const attention = async () => (await live.call("GET", "/attention")).body;
  const told = () =>
    readEvents(live.env.db, live.app.team.id, { after: 0, limit: 1_000 })
      .map(({ type }) => type)
      .filter((type) => /^(workspace|account)\./.test(type));
  const sent = () =>
    live.env.db.raw
      .query<{ n: number }, []>("SELECT count(*) AS n FROM messages WHERE status = 'sent'")
      .get()?.n;

  test(
    "one consent connects them all, each with a token of its own",
    async () => {
      const made = await live.call("POST", "/workspaces", {
        ...{ provider: "google", domains: ["load.test"], service_account_key: key },
      });
      expect(made.status).toBe(201);
      workspace = made.body.id;
      expect(made.body).toMatchObject({ status: "waiting", client_id: delegation.email });
      expect(made.text).not.toContain("PRIVATE KEY");
      const emails = [...EMAILS, GONE, "ann@elsewhere.test"];
      const { body } = await live.call("POST", `/workspaces/${workspace}/accounts`, { emails });
      const wrong = body.data.filter(({ connected }: { connected: boolean }) => !connected);
      expect(wrong).toEqual([
        {
          email: GONE,
          id: expect.any(String),
          connected: false,
          error: {
            type: "upstream_error",
            message: expect.stringContaining("Invalid email or User ID"),
            field: null,
          },
        },
        {
          email: "ann@elsewhere.test",
          id: null,
          connected: false,
          error: expect.objectContaining({ field: "workspace_id" }),
        },
      ]);
      expect(body).toMatchObject({ connected: 50, failed: 2 });
      expect(await shown()).toMatchObject({ status: "connected", last_error: null, accounts: 51 });
      // Twice each at most would be two questions: SMTP and IMAP share one.
      expect(delegation.granted.toSorted()).toEqual(EMAILS.toSorted());
      const gone = body.data.find(({ email }: { email: string }) => email === GONE).id;
      expect((await live.call("DELETE", `/accounts/${gone}`)).status).toBe(204);
      const ready = (await accounts()).filter((row: { ready: boolean }) => row.ready);
      expect(ready.length).toBe(50);
      expect(told()).toEqual(["workspace.connected", "account.error"]);
    },
    START_MS_MAX,
  );

  test(
    "they send through Postfix and are read in Dovecot",
    async () => {
      const { id } = (await live.call("POST", "/campaigns", { name: "Spring" })).body;
      const step = { type: "email", subject: "Offer {{email}}", body: "Hello" };
      await live.call("POST", `/campaigns/${id}/steps`, step);
      await live.call("PATCH", `/campaigns/${id}`, {
        send_window: ROUND_THE_CLOCK,
        max_leads_per_day: 1_000,
      });
      const leads = LEADS.map((email) => ({ email }));
      await live.call("POST", `/campaigns/${id}/leads`, { leads });
      expect((await live.call("POST", `/campaigns/${id}/start`)).status).toBe(200);
      await live.run(MINUTE_MS);
      await servers.emptyQueue();
      expect(sent()).toBe(50);
      const arrived = await Promise.all(LEADS.map((email) => mailsOf(servers, email)));
      const froms = arrived.flat().map(({ raw }) => /^From: .*?(u\d+@load\.test)/m.exec(raw)?.[1]);
      expect(froms.toSorted()).toEqual(EMAILS.toSorted());
    },
    START_MS_MAX,
  );

  test(
    "a revoked consent is one message; mailboxes wait, and none is in error",
    async () => {
      delegation.isDelegated = false;
      await delegation.endTokens();
      const before = told().length;
      await live.run(2 * HOUR_MS);
      expect(told().slice(before)).toEqual(["workspace.refused"]);
      const rows = await accounts();
      expect(new Set(rows.map((row: { status: string }) => row.status))).toEqual(
        new Set(["active"]),
      );
      expect(
        new Set(rows.map((row: { not_ready_reason: string }) => row.not_ready_reason)),
      ).toEqual(new Set(["workspace"]));
      const waits = await attention();
      expect(waits.accounts).toEqual([]);
      expect(waits.workspaces.map((row: { status: string }) => row.status)).toEqual(["refused"]);
      expect((await shown()).last_error).toStartWith("unauthorized_client");
      const late = (await live.call("POST", "/campaigns", { name: "Late" })).body.id;
      await live.call("POST", `/campaigns/${late}/steps`, {
        type: "email",
        subject: "Hi",
        body: "Hi",
      });
      await live.call("POST", `/campaigns/${late}/leads`, { leads: [{ email: "u99@load.test" }] });
      const refusal = await live.call("POST", `/campaigns/${late}/start`);
      expect(refusal.status).toBe(422);
      expect(refusal.body.message).toBe(
        "no active account is ready: their workspace's consent is refused; repair it first",
      );
      // Nothing was sent twice, or tried over and over: the endpoint is asked a few times an hour.
      expect(sent()).toBe(50);
      const asked = delegation.questions;
      await live.run(4 * HOUR_MS);
      expect(delegation.questions - asked).toBeLessThanOrEqual(12);
    },
    START_MS_MAX,
  );

  test(
    "once it is repaired, all go on by themselves and nobody was written to twice",
    async () => {
      delegation.isDelegated = true;
      const before = told().length;
      await live.run(70 * MINUTE_MS);
      expect(told().slice(before)).toEqual(["workspace.connected"]);
      expect(await shown()).toMatchObject({ status: "connected", last_error: null, remedy: null });
      expect((await attention()).workspaces).toEqual([]);
      await servers.emptyQueue();
      expect(sent()).toBe(100);
      const arrived = await Promise.all(LEADS.map((email) => mailsOf(servers, email)));
      expect(arrived.map(({ length }) => length)).toEqual(LEADS.map(() => 1));
    },
    START_MS_MAX,
  );
});
