/**
 * A workspace at Microsoft from end to end against servers that are not ours: one token of `oidc-provider` for the
 * whole tenant (RFC 6749 §4.4), with which fifty mailboxes log in by XOAUTH2 to a Dovecot that asks about it, and send
 * through a Postfix that has Dovecot judge its logins. Both stand under Microsoft's names, on Microsoft's ports.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
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
import { tableDns } from "../support/dns.ts";
import { createLive, type LiveApp } from "./support.ts";

const START_MS_MAX = 180_000;
const PUBLIC = "http://localhost:8480";
const NAMES = ["smtp.office365.com", "outlook.office365.com"];
const EMAILS = Array.from({ length: 50 }, (_, at) => `u${at + 1}@load.test`);
const CLOSED = "u51@load.test";
const LEADS = Array.from({ length: 100 }, (_, at) => `u${at + 101}@load.test`);
const APPLICATION = {
  clientId: "6731de76-14a6-49ae-97bc-6eba6914391e",
  clientSecret: "secret-of-the-application",
  scope: "https://outlook.office365.com/.default",
};

/** In the words of Microsoft Entra's "authentication and authorization error codes". */
const refusal = (error: string, description: string) => () =>
  Response.json({ error, error_description: description }, { status: 400 });
const NO_CONSENT = refusal(
  "unauthorized_client",
  `AADSTS700016: Application with identifier '${APPLICATION.clientId}' was not found in the directory 'load.test'. This can happen if the application has not been installed by the administrator of the tenant or consented to by any user in the tenant.`,
);
const GONE = refusal(
  "invalid_client",
  `AADSTS7000229: The client application ${APPLICATION.clientId} is missing service principal in the tenant load.test.`,
);

describe.skipIf(skipsMailServer())("fifty mailboxes of one tenant", () => {
  let idp: AuthorizationServer;
  let servers: MailServer;
  let live: LiveApp;
  let workspace: string;
  let consentUrl: string;

  beforeAll(async () => {
    idp = await startAuthorizationServer(["http://127.0.0.1/none"], { application: APPLICATION });
    const { introspectionUrl: oauthUrl } = idp;
    servers = await startMailServer({ oauthUrl, isApplication: true, names: NAMES });
    await writeFile(join(servers.dir, "closed"), `${CLOSED}:\n`);
    const dns = tableDns(Object.fromEntries(NAMES.map((name) => [name, [servers.host]])));
    const clock = { now: () => live.app.wall.now() };
    const settings = { clientId: null, clientSecret: null, issuer: idp.url, scope: null };
    const parts = { clock, fetch: createFetch(tableDns({})), log: silentLog };
    const oauth = createOauth({ microsoft: settings }, parts);
    live = await createLive({
      oauth,
      publicUrl: PUBLIC,
      mail: ({ onWorkspace }) =>
        createMailPort({
          ...{ dns, clock, log: silentLog, oauth, onWorkspace, ca: servers.ca },
          ...{ allowCidrs: parseCidrs("127.0.0.0/8"), onRotated: () => undefined },
        }),
    });
  }, START_MS_MAX);
  afterAll(async () => {
    await live.app.close();
    await Promise.all([servers.stop(), idp.stop()]);
  }, START_MS_MAX);

  const accounts = async () => (await live.call("GET", "/accounts")).body.data;
  const shown = async () => (await live.call("GET", `/workspaces/${workspace}`)).body;
  const told = () =>
    readEvents(live.env.db, live.app.team.id, { after: 0, limit: 1_000 })
      .map(({ type }) => type)
      .filter((type) => /^(workspace|account)\./.test(type));
  const sent = () =>
    live.env.db.raw
      .query<{ n: number }, []>("SELECT count(*) AS n FROM messages WHERE status = 'sent'")
      .get()?.n;

  test("before the administrator agrees, the workspace waits and nothing is told", async () => {
    idp.inPlace = NO_CONSENT;
    const { clientId: client_id, clientSecret: client_secret } = APPLICATION;
    const made = await live.call("POST", "/workspaces", {
      ...{ provider: "microsoft", domains: ["load.test"], client_id, client_secret },
    });
    expect(made.status).toBe(201);
    expect(made.text).not.toContain(client_secret);
    workspace = made.body.id;
    consentUrl = made.body.consent_url;
    await live.call("POST", `/workspaces/${workspace}/check`);
    expect(await shown()).toMatchObject({
      status: "waiting",
      last_error: expect.stringContaining("AADSTS700016"),
    });
    expect(told()).toEqual([]);
  });

  test(
    "one consent connects them all by one token, but the mailbox that isn't let in",
    async () => {
      idp.inPlace = null;
      const state = new URL(consentUrl).searchParams.get("state") ?? "";
      const url = `${PUBLIC}/oauth/microsoft/workspace?state=${state}&admin_consent=True`;
      expect((await live.app.fetch(new Request(url))).status).toBe(200);
      expect((await shown()).status).toBe("connected");
      const emails = [...EMAILS, CLOSED];
      const { body } = await live.call("POST", `/workspaces/${workspace}/accounts`, { emails });
      expect(body).toMatchObject({ connected: 50, failed: 1 });
      const wrong = body.data.filter(({ connected }: { connected: boolean }) => !connected);
      expect(wrong.map(({ email }: { email: string }) => email)).toEqual([CLOSED]);
      // The check, all mailboxes together, and once more since one of them was refused.
      expect(idp.asked.length).toBeLessThanOrEqual(3);
      expect(idp.asked[0]?.get("grant_type")).toBe("client_credentials");
      expect((await live.call("DELETE", `/accounts/${wrong[0].id}`)).status).toBe(204);
      const ready = (await accounts()).filter((row: { ready: boolean }) => row.ready);
      expect(ready.length).toBe(50);
      expect(told()).toEqual(["workspace.connected", "account.error"]);
    },
    START_MS_MAX,
  );

  test(
    "they send through Postfix, each as itself",
    async () => {
      const { id } = (await live.call("POST", "/campaigns", { name: "Spring" })).body;
      const step = { type: "email", subject: "Offer {{email}}", body: "Hello" };
      await live.call("POST", `/campaigns/${id}/steps`, step);
      await live.call("PATCH", `/campaigns/${id}`, {
        send_window: ROUND_THE_CLOCK,
        max_leads_per_day: 1_000,
      });
      await live.call("POST", `/campaigns/${id}/leads`, {
        leads: LEADS.map((email) => ({ email })),
      });
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
      idp.inPlace = GONE;
      await idp.revokeAll();
      const before = told().length;
      await live.run(2 * HOUR_MS);
      expect(told().slice(before)).toEqual(["workspace.refused"]);
      const rows: { status: string; not_ready_reason: string }[] = await accounts();
      const states = rows.map(({ status, not_ready_reason: why }) => `${status} ${why}`);
      expect(new Set(states)).toEqual(new Set(["active workspace"]));
      const waits = (await live.call("GET", "/attention")).body;
      expect(waits.accounts).toEqual([]);
      expect(waits.workspaces.map((row: { id: string }) => row.id)).toEqual([workspace]);
      expect((await shown()).last_error).toContain("AADSTS7000229");
      expect(sent()).toBe(50);
      const asked = idp.questions;
      await live.run(4 * HOUR_MS);
      expect(idp.questions - asked).toBeLessThanOrEqual(12);
    },
    START_MS_MAX,
  );

  test(
    "once it is repaired, all go on by themselves and nobody is written to twice",
    async () => {
      idp.inPlace = null;
      const before = told().length;
      await live.run(70 * MINUTE_MS);
      expect(told().slice(before)).toEqual(["workspace.connected"]);
      expect(await shown()).toMatchObject({ status: "connected", last_error: null });
      await servers.emptyQueue();
      expect(sent()).toBe(100);
      const arrived = await Promise.all(LEADS.map((email) => mailsOf(servers, email)));
      expect(arrived.map(({ length }) => length)).toEqual(LEADS.map(() => 1));
    },
    START_MS_MAX,
  );
});
