/**
 * Addresses checked before anybody writes to them. In the sandbox `.invalid` is a domain that doesn't exist
 * (RFC 6761 §6.4), and `nomail.test` takes no email (RFC 7505).
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, MINUTE_MS } from "#domain/time.ts";
import { DnsFailure } from "#platform/ports/dns.ts";
import { createLive } from "../../engine/support.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, addLeads, makeCampaign } from "../../support/campaigns.ts";
import { OPEN_DNS } from "../../support/dns.ts";
import { importFile } from "../../support/imports.ts";
import { quiet, ROUND_THE_CLOCK } from "../../support/inbox.ts";

const PEOPLE = {
  fine: "ann@acme.example",
  role: "info@acme.example",
  disposable: "bob@mailinator.com",
  typo: "cat@gmai.com",
  gone: "dan@gone.invalid",
  closed: "eve@nomail.test",
};
const STEP = { type: "email", subject: "Hello", body: "Hi" };

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
  await quiet(app);
});
afterEach(() => app.close());

async function begin(change: object = {}) {
  const account = await addAccount(app);
  await app.call("PATCH", `/accounts/${account.id}`, { min_gap_seconds: 0, hourly_limit: 100 });
  const { id } = await makeCampaign(app, [STEP]);
  await app.call("PATCH", `/campaigns/${id}`, { send_window: ROUND_THE_CLOCK, ...change });
  const leads = await addLeads(app, id, ...Object.values(PEOPLE));
  const named = Object.keys(PEOPLE).map((name, at) => [name, leads[at]]);
  return { id, leads: Object.fromEntries(named) };
}

const addressOf = async (lead: { lead_id: string }) =>
  (await app.call("GET", `/leads/${lead.lead_id}`)).body.address;
const emailsOf = (body: { data: { email: string }[] }) =>
  body.data.map(({ email }) => email).sort();

/** To whom an email went. */
async function written(): Promise<string[]> {
  const { body } = await app.call("GET", "/sandbox/messages?limit=100");
  return body.data.map(({ recipient }: { recipient: string }) => recipient).sort();
}

describe("a lead's address", () => {
  test("is checked by its words at once, and by its domain soon after", async () => {
    const { leads } = await begin();
    expect(await addressOf(leads.role)).toMatchObject({
      verdict: "risky",
      reasons: ["role_address"],
    });
    expect(await addressOf(leads.fine)).toMatchObject({ verdict: "unknown", checked_at: null });
    await app.advance(MINUTE_MS);
    expect(await addressOf(leads.fine)).toMatchObject({ verdict: "valid", reasons: [] });
    expect((await addressOf(leads.fine)).checked_at).not.toBeNull();
    const typo = { verdict: "risky", reasons: ["likely_typo"], suggestion: "cat@gmail.com" };
    expect(await addressOf(leads.typo)).toMatchObject(typo);
    const gone = { verdict: "invalid", reasons: ["no_such_domain"] };
    expect(await addressOf(leads.gone)).toMatchObject(gone);
    expect(await addressOf(leads.closed)).toMatchObject({
      verdict: "invalid",
      reasons: ["null_mx"],
    });
  });

  test("is found by its verdict and reason, among all leads and a campaign's", async () => {
    const { id } = await begin();
    await app.advance(MINUTE_MS);
    for (const path of ["/leads", `/campaigns/${id}/leads`]) {
      const by = async (filter: string) =>
        emailsOf((await app.call("GET", `${path}?filter=${encodeURIComponent(filter)}`)).body);
      expect(await by("verdict=risky")).toEqual(
        [PEOPLE.disposable, PEOPLE.typo, PEOPLE.role].sort(),
      );
      expect(await by("verdict=invalid")).toEqual([PEOPLE.gone, PEOPLE.closed].sort());
      expect(await by("verdict=valid")).toEqual([PEOPLE.fine]);
      expect(await by("verdict=unknown")).toEqual([]);
      expect(await by("address_reason=role_address,null_mx")).toEqual(
        [PEOPLE.closed, PEOPLE.role].sort(),
      );
      expect(await by("address_reason=no_such_domain")).toEqual([PEOPLE.gone]);
    }
  });

  test("is counted in the result of an import, and in a dry run once its domain is known", async () => {
    const { id } = await makeCampaign(app);
    const leads = Object.values(PEOPLE).map((email) => ({ email }));
    const imports = (more: object = {}) =>
      app.call("POST", `/campaigns/${id}/leads`, { leads, ...more });
    const risky = { risky: 3, reasons: { role_address: 1, disposable: 1, likely_typo: 1 } };
    expect((await imports({ dry_run: true })).body.addresses).toEqual({ ...risky, invalid: 0 });
    expect((await imports()).body.addresses).toEqual({ ...risky, invalid: 0 });
    await app.advance(MINUTE_MS);
    const other = await makeCampaign(app);
    const again = await app.call("POST", `/campaigns/${other.id}/leads`, { leads, dry_run: true });
    const reasons = { ...risky.reasons, no_such_domain: 1, null_mx: 1 };
    expect(again.body.addresses).toEqual({ risky: 3, invalid: 2, reasons });
  });

  test("is counted in the import of a file", async () => {
    const { id } = await makeCampaign(app);
    const csv = `email\n${Object.values(PEOPLE).join("\n")}\n`;
    const { addresses } = (await importFile(app, id, csv)).body;
    expect(addresses).toMatchObject({ risky: 3, reasons: { role_address: 1 } });
  });

  test("is in the launch check", async () => {
    const { id } = await begin();
    await app.advance(MINUTE_MS);
    const { warnings } = (await app.call("GET", `/campaigns/${id}/launch-check`)).body;
    const words =
      "of 6 addresses, 2 take no email and are put on hold and 3 are risky: 1 with a domain that doesn't " +
      "exist, 1 with a domain that takes no email, 1 disposable, 1 role, 1 probably mistyped";
    expect(warnings).toContainEqual({ code: "addresses", message: words });
  });
});

describe("a campaign", () => {
  test("never writes to an invalid address, and to risky ones unless it says otherwise", async () => {
    const { id, leads } = await begin();
    await app.call("POST", `/campaigns/${id}/start`);
    await app.advance(DAY_MS);
    const { fine, role, disposable, typo } = PEOPLE;
    expect(await written()).toEqual([fine, role, disposable, typo].sort());
    const held = (await app.call("GET", `/campaigns/${id}/leads/${leads.gone.id}`)).body;
    expect(held).toMatchObject({ hold_reason: "invalid_address", hold_detail: "no_such_domain" });
    expect((await app.call("GET", `/campaigns/${id}`)).body.on_hold).toMatchObject({
      total: 2,
      invalid_address: 2,
    });
  });

  test("finds out at the last moment, too", async () => {
    const { id, leads } = await begin();
    // Nobody has looked the domains up before.
    app.environments.test.db.raw.run("delete from domain_lookups");
    await app.call("POST", `/campaigns/${id}/start`);
    await app.advance(DAY_MS);
    expect(await written()).not.toContain(PEOPLE.gone);
    expect(await written()).toContain(PEOPLE.fine);
    const held = (await app.call("GET", `/campaigns/${id}/leads/${leads.closed.id}`)).body;
    expect(held).toMatchObject({ hold_reason: "invalid_address", hold_detail: "null_mx" });
  });

  test("holds risky ones for a person, who may let them be written to", async () => {
    const { id, leads } = await begin({ risky_addresses: "hold" });
    await app.advance(MINUTE_MS);
    await app.call("POST", `/campaigns/${id}/start`);
    const foreseen = (await app.call("GET", `/campaigns/${id}/forecast`)).body;
    await app.advance(DAY_MS);
    expect(await written()).toEqual([PEOPLE.fine]);
    expect(foreseen.total).toBe(1);
    const body = { action: "release", filter: { hold_reason: "risky_address" } };
    expect((await app.call("POST", `/campaigns/${id}/leads/bulk`, body)).body.changed).toBe(3);
    await app.advance(DAY_MS);
    const { fine, role, disposable, typo } = PEOPLE;
    expect(await written()).toEqual([fine, role, disposable, typo].sort());
    const released = (await app.call("GET", `/campaigns/${id}/leads/${leads.role.id}`)).body;
    expect(released).toMatchObject({ status: "completed", hold_reason: null });
  });

  test("spreads risky ones: a mailbox begins with one a UTC day, and says what the others wait for", async () => {
    const { id, leads } = await begin({ risky_addresses: "spread" });
    await app.call("POST", `/campaigns/${id}/start`);
    const { fine, role, disposable, typo } = PEOPLE;
    await app.advance(DAY_MS / 3);
    expect(await written()).toEqual([fine, role]);
    expect((await app.call("GET", `/campaigns/${id}`)).body).toMatchObject({
      sending_status: "risky_share",
      on_hold: { total: 2, invalid_address: 2 },
    });
    const path = `/campaigns/${id}/leads/${leads.typo.id}/explain`;
    const why = (await app.call("GET", path)).body;
    expect(why).toMatchObject({ reason: "risky_share", ahead: 1, estimated: false });
    await app.advance(DAY_MS);
    expect(await written()).toEqual([fine, role, disposable].sort());
    await app.advance(DAY_MS);
    expect(await written()).toEqual([fine, role, disposable, typo].sort());
    const { body } = await app.call("GET", `/campaigns/${id}/leads/${leads.typo.id}`);
    expect(body.last_sent_at).toBe(why.next_send_at);
  });

  test("lets those go at once that wait for their turn when it no longer spreads them", async () => {
    const { id } = await begin({ risky_addresses: "spread" });
    await app.call("POST", `/campaigns/${id}/start`);
    await app.advance(DAY_MS / 3);
    expect(await written()).toHaveLength(2);
    await app.call("PATCH", `/campaigns/${id}`, { risky_addresses: "send" });
    await app.advance(DAY_MS / 3);
    expect(await written()).toHaveLength(4);
  });

  test("lets one go at once that a person has accepted, and no other", async () => {
    const { id, leads } = await begin({ risky_addresses: "spread" });
    await app.call("POST", `/campaigns/${id}/start`);
    await app.advance(DAY_MS / 6);
    await app.call("PATCH", `/campaigns/${id}`, { risky_addresses: "hold" });
    await app.advance(DAY_MS / 24);
    await app.call("PATCH", `/campaigns/${id}`, { risky_addresses: "spread" });
    // One more of the same day.
    await addLeads(app, id, "sales@acme.example");
    const release = { action: "release", lead_ids: [leads.typo.id] };
    expect((await app.call("POST", `/campaigns/${id}/leads/bulk`, release)).body.changed).toBe(1);
    await app.advance(DAY_MS / 12);
    const { fine, role, typo } = PEOPLE;
    expect(await written()).toEqual([fine, role, typo].sort());
  });

  test("looks a released one's domain up again, and holds it as before", async () => {
    const { id, leads } = await begin();
    await app.call("POST", `/campaigns/${id}/start`);
    await app.advance(DAY_MS);
    const body = { action: "release", lead_ids: [leads.gone.id] };
    expect((await app.call("POST", `/campaigns/${id}/leads/bulk`, body)).body.changed).toBe(1);
    await app.advance(DAY_MS);
    expect(await written()).not.toContain(PEOPLE.gone);
    const held = (await app.call("GET", `/campaigns/${id}/leads/${leads.gone.id}`)).body;
    expect(held).toMatchObject({ hold_reason: "invalid_address" });
  });
});

test("name servers that don't answer hold nobody", async () => {
  const silent = () => Promise.reject(new DnsFailure("no name server answers"));
  const live = await createLive({ dns: { ...OPEN_DNS, mx: silent, lookup: silent } });
  await live.addAccount();
  const { leads } = await live.launch([STEP], PEOPLE.fine);
  await live.days(1);
  expect(live.mail.taken.map(({ to }) => to)).toEqual([PEOPLE.fine]);
  expect(live.lead(leads[0] ?? "").holdReason).toBeNull();
  await live.app.close();
});
