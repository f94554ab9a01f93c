/** The contract of `/accounts/{id}/dns` and `/accounts/{id}/dkim`, and what becomes of a key. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS, plus } from "#domain/time.ts";
import { signingWorker } from "#engine/workers.ts";
import { type Dns, DnsFailure, type Team } from "#platform/ports/dns.ts";
import { accountById } from "#store/mailboxes/accounts.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addLeads, makeCampaign } from "../../support/campaigns.ts";
import { verifyDkim } from "../../support/dkim.ts";
import { tableDns } from "../../support/dns.ts";
import { runDue } from "../../support/run-due.ts";

const OWN = {
  email: "ann@own.example",
  provider: "smtp",
  smtp: { host: "mail.own.example", password: "secret" },
  imap: { host: "mail.own.example", password: "secret" },
};

/** What DNS says to the live environment; a test may change it. */
const texts: Record<string, string[]> = {};
const dns: Dns = tableDns({ "mail.own.example": ["192.0.2.25"] }, {}, { texts });
let isSilent = false;
let app: TestApp;
beforeEach(async () => {
  isSilent = false;
  for (const name of Object.keys(texts)) {
    delete texts[name];
  }
  const txt = async (name: string, team: Team) => {
    if (isSilent) {
      throw new DnsFailure("silent");
    }
    return await dns.txt(name, team);
  };
  app = await createTestApp({ dns: { ...dns, txt }, publicUrl: "https://go.own.example" });
});
afterEach(() => app.close());

const add = async (input: object = OWN) => (await app.live("POST", "/accounts", input)).body.id;
const look = () => runDue(signingWorker(app.environments.live), app.wall.now());

describe("GET /accounts/{id}/dns", () => {
  test("200: each check with its verdict, and what to publish", async () => {
    const { status, body } = await app.live("GET", `/accounts/${await add()}/dns`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ domain: "own.example", ok: false, spf_lookups: null });
    expect(body.checks.map(({ check }: { check: string }) => check)).toEqual([
      ...["mx", "spf", "dkim", "dmarc", "sending_host", "tracking_host"],
    ]);
    expect(body.checks[1]).toMatchObject({
      verdict: "fault",
      publish: [{ name: "own.example", type: "TXT", value: "v=spf1 ip4:192.0.2.25 ~all" }],
      rules: "docs/deliverability.md#spf",
    });
  });

  test("200: a selector that is named is looked for", async () => {
    const id = await add();
    texts["odd7._domainkey.own.example"] = ["v=DKIM1; k=ed25519; p=AAAA"];
    const without = await app.live("GET", `/accounts/${id}/dns`);
    expect(without.body.dkim_selectors).toEqual([]);
    const { body } = await app.live("GET", `/accounts/${id}/dns?selector=odd7`);
    expect(body.dkim_selectors).toEqual(["odd7"]);
  });

  test("200: a resolver that does not answer makes nothing a fault", async () => {
    isSilent = true;
    const { body } = await app.live("GET", `/accounts/${await add()}/dns`);
    expect(body.checks[1]).toMatchObject({ check: "spf", verdict: "unknown" });
  });

  test("404 for what is not the team's; 422 for a selector that is none", async () => {
    const id = await add();
    const other = await app.addTeam("Other");
    const foreign = await app.live("GET", `/accounts/${id}/dns`, undefined, {
      key: other.keys.live,
    });
    expect(foreign.status).toBe(404);
    const { status, body } = await app.live("GET", `/accounts/${id}/dns?selector=a_b`);
    expect([status, body.field]).toEqual([422, "selector"]);
  });

  test("in the sandbox every domain answers, most of them well", async () => {
    const reports = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const made = await app.call("POST", "/accounts", {
          ...OWN,
          email: `ann@company${n}.example`,
        });
        return (await app.call("GET", `/accounts/${made.body.id}/dns`)).body;
      }),
    );
    const good = reports.filter(({ ok }) => ok).length;
    expect(good).toBeGreaterThan(10);
    expect(good).toBeLessThan(40);
    const again = await app.call("GET", "/accounts");
    const first = await app.call("GET", `/accounts/${again.body.data[0].id}/dns`);
    expect(first.body).toEqual(reports.find(({ domain }) => domain === first.body.domain));
  });
});

describe("a signing key", () => {
  test("is made, told what to publish, and kept from every answer and column", async () => {
    const id = await add();
    const made = await app.live("POST", `/accounts/${id}/dkim`, { selector: "Out1" });
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject({
      ...{ domain: "own.example", selector: "out1", active: false, active_since: null },
      record: {
        name: "out1._domainkey.own.example",
        type: "TXT",
        value: expect.stringMatching(/^v=DKIM1; k=rsa; p=MIIBIjAN[A-Za-z0-9+/=]+$/),
      },
    });
    const read = await app.live("GET", `/accounts/${id}/dkim`);
    expect(read.body).toEqual(made.body);
    const stored = JSON.stringify(
      app.environments.live.db.raw.query("SELECT * FROM accounts").values(),
    );
    expect(`${stored}${made.text}`).not.toContain("PRIVATE KEY");
    const report = await app.live("GET", `/accounts/${id}/dns`);
    expect(report.body.checks[2]).toMatchObject({
      verdict: "fault",
      publish: [made.body.record],
    });
  });

  test("is used from when DNS shows it, and asked for ever more seldom until then", async () => {
    const id = await add();
    const made = await app.live("POST", `/accounts/${id}/dkim`, { selector: "out1" });
    const { name, value } = made.body.record;
    expect(await look()).toBe(plus(app.wall.now(), 5 * MINUTE_MS));
    app.wall.move(3 * HOUR_MS);
    isSilent = true;
    expect(await look()).toBe(plus(app.wall.now(), HOUR_MS));
    isSilent = false;
    texts[name] = ["v=DKIM1; k=rsa; p=another"];
    app.wall.move(HOUR_MS);
    await look();
    expect((await app.live("GET", `/accounts/${id}/dkim`)).body.active).toBe(false);
    texts[name] = [value];
    app.wall.move(HOUR_MS);
    expect(await look()).toBeUndefined();
    expect((await app.live("GET", `/accounts/${id}/dkim`)).body.active).toBe(true);
  });

  test("that is never published is given up after a month, and looked for when asked again", async () => {
    const id = await add();
    await app.live("POST", `/accounts/${id}/dkim`, { selector: "out1" });
    app.wall.move(31 * DAY_MS);
    expect(await look()).toBeUndefined();
    const again = await app.live("POST", `/accounts/${id}/dkim`, { selector: "out1" });
    expect(again.status).toBe(200);
    expect(accountById(app.environments.live.db, id)?.dkimDueAt).toBe(app.wall.now());
  });

  test("one record serves all mailboxes of a domain, and another team's key is its own", async () => {
    const first = await app.live("POST", `/accounts/${await add()}/dkim`, { selector: "out1" });
    const bob = await add({ ...OWN, email: "bob@own.example" });
    const second = await app.live("POST", `/accounts/${bob}/dkim`, { selector: "out1" });
    expect(second.body.record).toEqual(first.body.record);
    const other = await app.addTeam("Other");
    const key = other.keys.live;
    const theirs = await app.live("POST", "/accounts", OWN, { key });
    const path = `/accounts/${theirs.body.id}/dkim`;
    const third = await app.live("POST", path, { selector: "out1" }, { key });
    expect(third.body.record).not.toEqual(first.body.record);
  });

  test("can be replaced and taken away", async () => {
    const id = await add();
    const first = await app.live("POST", `/accounts/${id}/dkim`, { selector: "out1" });
    const second = await app.live("POST", `/accounts/${id}/dkim`, { selector: "out2" });
    expect(second.body.record.value).not.toBe(first.body.record.value);
    expect((await app.live("DELETE", `/accounts/${id}/dkim`)).status).toBe(204);
    expect((await app.live("GET", `/accounts/${id}/dkim`)).status).toBe(404);
    expect((await app.live("DELETE", `/accounts/${id}/dkim`)).status).toBe(204);
  });

  test.each([
    ["a selector that is none", OWN, { selector: "a_b" }, 422, "selector"],
    ["no selector", OWN, {}, 422, "selector"],
    ["google", { email: "g@own.example", provider: "google" }, { selector: "a" }, 409, "provider"],
  ])("is refused: %s", async (_name, account, input, status, field) => {
    const answer = await app.live("POST", `/accounts/${await add(account)}/dkim`, input);
    expect([answer.status, answer.body.field]).toEqual([status, field]);
  });

  test("signs what a campaign sends, so that others can verify it", async () => {
    const made = await app.call("POST", "/accounts", { ...OWN, email: "ann@own.example" });
    const key = await app.call("POST", `/accounts/${made.body.id}/dkim`, { selector: "out1" });
    const { name, value } = key.body.record;
    const { id } = await makeCampaign(app, [{ type: "email", subject: "Hello", body: "Hi there" }]);
    await addLeads(app, id, "lead@example.com");
    await app.call("POST", `/campaigns/${id}/start`);
    await app.advance(DAY_MS);
    const { body } = await app.call("GET", "/sandbox/messages");
    const raw = await app.call("GET", `/sandbox/messages/${body.data[0].id}/raw`);
    const [result] = await verifyDkim(Buffer.from(raw.text), { [name]: [value] });
    expect(result).toMatchObject({ result: "pass", domain: "own.example", selector: "out1" });
    expect(result?.headers).toEqual(
      expect.arrayContaining(["list-unsubscribe", "list-unsubscribe-post"]),
    );
  });
});
