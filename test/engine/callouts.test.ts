/**
 * Guarantees of callouts: who is asked and how often, which only scripted servers can count, and what becomes of a lead
 * by what was said. Each domain has servers of an operator of its own.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { isControlAddress } from "#domain/mailboxes/callout.ts";
import type { SendOutcome } from "#domain/mailboxes/send-outcome.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import type { Dns } from "#platform/ports/dns.ts";
import { addLeads } from "../support/campaigns.ts";
import { tableDns } from "../support/dns.ts";
import { ROUND_THE_CLOCK } from "../support/inbox.ts";
import { createLive, type LiveApp } from "./support.ts";

const DNS: Dns = {
  ...tableDns({}),
  mx: async (domain) => [
    { exchange: domain === "big.example.org" ? "aspmx.l.google.com" : `mx.${domain}`, priority: 1 },
  ],
};
const TAKEN: SendOutcome = { kind: "accepted", response: "250 ok" };
const UNKNOWN = verdict("refused", 550, "5.1.1", "550 5.1.1 User unknown");
const LATER = verdict("deferred", 450, "4.7.1", "450 4.7.1 Greylisted, try again");
const BLOCKED = verdict("refused", 554, "5.7.1", "554 5.7.1 blocked using zen.spamhaus.org");

function verdict<Kind extends "refused" | "deferred">(
  kind: Kind,
  code: number,
  enhanced: string,
  response: string,
) {
  return { kind, stage: "rcpt" as const, code, enhanced, response };
}

let live: LiveApp;
let account: string;
let campaign: string;
beforeEach(async () => {
  live = await createLive({ dns: DNS });
  account = await live.addAccount();
  live.mail.rcpt = (to) => (to.startsWith("postmaster@") || to.startsWith("ann") ? TAKEN : UNKNOWN);
  // It writes to nobody before a test says so.
  await patch({ daily_limit: 0, min_gap_seconds: 0, hourly_limit: 500 });
  campaign = (await live.launch([{ type: "email", subject: "Hello", body: "Hi" }])).id;
  await live.call("PATCH", `/campaigns/${campaign}`, { send_window: ROUND_THE_CLOCK });
});
afterEach(() => live.app.close());

const patch = (change: object) => live.call("PATCH", `/accounts/${account}`, change);
const add = (...emails: string[]) =>
  addLeads({ ...live.app, call: live.call }, campaign, ...emails);
const asked = () => live.mail.callouts.flatMap((one) => one.asked);
const askedPeople = () =>
  asked().filter((one) => !isControlAddress(one) && !one.startsWith("postmaster@"));
const leadOf = async (email: string) =>
  (await live.call("GET", `/leads?email=${email}`)).body.data[0];
const problem = async () =>
  (await live.call("GET", `/accounts/${account}`)).body.verify_addresses_problem;

describe("without its owner's consent", () => {
  test("no mailbox asks anybody, and giving it is in the audit log", async () => {
    await add("ann@acme.example.org", "bob@acme.example.org");
    await live.run(DAY_MS);
    expect(live.mail.callouts).toEqual([]);
    expect((await patch({ verify_addresses: true })).body.verify_addresses).toBe(true);
    await live.run(HOUR_MS);
    expect(askedPeople()).toEqual(["ann@acme.example.org", "bob@acme.example.org"]);
    await patch({ verify_addresses: false });
    await add("cat@acme.example.org");
    await live.run(DAY_MS);
    expect(askedPeople()).toHaveLength(2);
    const { body } = await live.call("GET", "/audit?action=account.patch&limit=100");
    const changes = body.data.filter((one: { before: object; after: object }) =>
      JSON.stringify(one.after).includes('"verify_addresses":true'),
    );
    expect(changes).not.toHaveLength(0);
  });
});

describe("with it", () => {
  beforeEach(() => patch({ verify_addresses: true }));

  test("a lead that its server doesn't know is never written to, until a person releases it", async () => {
    const [, bob] = await add("ann@acme.example.org", "bob@acme.example.org");
    await live.run(HOUR_MS);
    const { address } = await leadOf("bob@acme.example.org");
    expect(address).toMatchObject({ verdict: "invalid", reasons: ["no_such_mailbox"] });
    expect((await leadOf("ann@acme.example.org")).address.verdict).toBe("valid");
    for (const filter of ["verdict=invalid", "address_reason=no_such_mailbox"]) {
      const found = (await live.call("GET", `/leads?filter=${encodeURIComponent(filter)}`)).body;
      expect(found.data.map(({ email }: { email: string }) => email)).toEqual([
        "bob@acme.example.org",
      ]);
    }
    await patch({ daily_limit: 100 });
    await live.run(DAY_MS);
    expect(live.mail.taken.map(({ to }) => to)).toEqual(["ann@acme.example.org"]);
    const path = `/campaigns/${campaign}/leads/${bob.id}`;
    expect((await live.call("GET", path)).body).toMatchObject({
      hold_reason: "invalid_address",
      hold_detail: "no_such_mailbox",
    });
    const body = { action: "release", filter: { hold_reason: "invalid_address" } };
    await live.call("POST", `/campaigns/${campaign}/leads/bulk`, body);
    await live.run(DAY_MS);
    expect(live.mail.taken.map(({ to }) => to)).toContain("bob@acme.example.org");
    expect(askedPeople()).toHaveLength(2);
  });

  test("everybody at a catch-all domain is risky, and nobody there is asked for", async () => {
    live.mail.rcpt = () => TAKEN;
    await add("bob@acme.example.org", "cat@acme.example.org");
    await live.call("PATCH", `/campaigns/${campaign}`, { risky_addresses: "hold" });
    await live.run(HOUR_MS);
    const { address } = await leadOf("bob@acme.example.org");
    expect(address).toMatchObject({ verdict: "risky", reasons: ["catch_all"] });
    const found = await live.call("GET", "/leads?filter=address_reason%3Dcatch_all");
    expect(found.body.data).toHaveLength(2);
    await patch({ daily_limit: 100 });
    await live.days(13);
    expect(live.mail.taken).toEqual([]);
    expect(asked().map(isControlAddress)).toEqual([true]);
    const { on_hold } = (await live.call("GET", `/campaigns/${campaign}`)).body;
    expect(on_hold.risky_address).toBe(2);
    const tally = await live.call("POST", `/campaigns/${campaign}/leads`, {
      leads: [{ email: "dan@acme.example.org" }],
      dry_run: true,
    });
    expect(tally.body.addresses).toMatchObject({ risky: 1, reasons: { catch_all: 1 } });
  });

  test("who was put off is asked once more, an hour later, and written to like anybody", async () => {
    live.mail.rcpt = (to) => (isControlAddress(to) ? UNKNOWN : LATER);
    await add("bob@acme.example.org");
    await live.days(3);
    expect(askedPeople()).toEqual(["bob@acme.example.org", "bob@acme.example.org"]);
    expect((await leadOf("bob@acme.example.org")).address.verdict).toBe("valid");
    await patch({ daily_limit: 100 });
    await live.run(DAY_MS);
    expect(live.mail.taken).toHaveLength(1);
  });

  test("nobody is asked for who is suppressed, was written to, or is at a large provider", async () => {
    await live.call("POST", "/suppressions", { email: "sue@acme.example.org" });
    await live.call("POST", "/suppressions", { email: "@closed.example.org" });
    const leads = ["sue@acme.example.org", "eve@closed.example.org"];
    await add(...leads, "bob@big.example.org", "cat@gmail.com", "röd@acme.example.org");
    await live.run(DAY_MS);
    expect(asked()).toEqual([]);
  });

  test("a domain is asked for five people at a time, four times an hour, eight times a day", async () => {
    const people = Array.from({ length: 60 }, (_, at) => `p${at}@acme.example.org`);
    await add(...people);
    const at: number[] = [];
    const rcpt = live.mail.rcpt;
    live.mail.rcpt = (to) => {
      if (isControlAddress(to)) {
        at.push(live.app.wall.now());
      }
      return rcpt(to);
    };
    await live.run(3 * DAY_MS);
    expect(live.mail.callouts.every((one) => one.asked.length <= 7)).toBe(true);
    const gaps = at.slice(1).map((time, index) => time - (at[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(15 * MINUTE_MS);
    const days = Map.groupBy(at, (time) => Math.floor(time / DAY_MS));
    expect(Math.max(...[...days.values()].map(({ length }) => length))).toBe(8);
    expect(new Set(askedPeople()).size).toBe(60);
    expect(askedPeople()).toHaveLength(60);
  });

  test("turned away, it leaves the operator alone for a day, and after three of them asks nobody", async () => {
    live.mail.rcpt = () => BLOCKED;
    await add("a@one.example.org", "b@mx.one.example.org");
    await live.run(HOUR_MS);
    expect(live.mail.callouts).toHaveLength(1);
    expect(await problem()).toContain("example.org turned this mailbox away");
  });
});

describe("with operators of their own", () => {
  beforeEach(() => patch({ verify_addresses: true }));

  test("three that turn it away end it, with a sentence, until a person turns it on again", async () => {
    live.mail.rcpt = () => BLOCKED;
    await add("a@one-corp.com", "b@two-corp.com", "c@three-corp.com", "d@four-corp.com");
    await live.run(DAY_MS);
    expect(live.mail.callouts.map(({ domain }) => domain)).toEqual([
      "one-corp.com",
      "two-corp.com",
      "three-corp.com",
    ]);
    expect(await problem()).toContain("No more servers are asked until you turn this off");
    await live.days(3);
    expect(live.mail.callouts).toHaveLength(3);
    await patch({ verify_addresses: false });
    await patch({ verify_addresses: true });
    expect(await problem()).toBeNull();
    live.mail.rcpt = () => TAKEN;
    await live.run(HOUR_MS);
    expect(live.mail.callouts.map(({ domain }) => domain)).toContain("four-corp.com");
  });

  test("with port 25 closed it tries once a day, says so, and keeps nobody from an email", async () => {
    live.mail.callout = async (callout) => {
      live.mail.callouts.push({ ...callout, asked: [] });
      const ended = { kind: "unreachable", stage: "connect", bodySent: false } as const;
      return { replies: [], ended: { ...ended, reason: "timed out" } };
    };
    const people = Array.from({ length: 30 }, (_, at) => `p@corp-${at}.com`);
    await add(...people);
    await live.run(DAY_MS);
    expect(live.mail.callouts.length).toBeLessThanOrEqual(11);
    expect(await problem()).toContain("port 25");
    await patch({ daily_limit: 100 });
    await live.run(DAY_MS);
    expect(live.mail.taken).toHaveLength(30);
  });

  test("the mailbox names itself by this server's public name", async () => {
    await add("ann@one-corp.com");
    await live.run(HOUR_MS);
    const [callout] = live.mail.callouts;
    expect(callout).toMatchObject({ from: "ann@sender.example", hosts: ["mx.one-corp.com"] });
    expect(callout?.name).toMatch(/\.[a-z]+$/);
  });
});
