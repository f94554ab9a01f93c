/** The HTTP contract of an account's `provider_limits`, and what the forecast and a lead's explanation make of them. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { HOUR_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, addLeads, makeCampaign } from "../../support/campaigns.ts";
import { ROUND_THE_CLOCK } from "../../support/inbox.ts";

let app: TestApp;
let account: string;
beforeEach(async () => {
  app = await createTestApp();
  account = (await addAccount(app)).id;
});
afterEach(() => app.close());

const set = (provider_limits: unknown) =>
  app.call("PATCH", `/accounts/${account}`, { provider_limits });

describe("provider_limits", () => {
  test("200: replaced as a whole, shown as read, and none to begin with", async () => {
    const { body } = await app.call("GET", `/accounts/${account}`);
    expect(body.provider_limits).toEqual({});
    const limits = { google: 20, microsoft: 10 };
    expect((await set(limits)).body.provider_limits).toEqual(limits);
    expect((await set({ yahoo: 1 })).body.provider_limits).toEqual({ yahoo: 1 });
    expect((await set({})).body.provider_limits).toEqual({});
    const made = { email: "b@x.example", provider: "smtp", provider_limits: limits };
    expect((await app.call("POST", "/accounts", made)).body.provider_limits).toEqual(limits);
  });

  test.each([
    ["zero", { google: 0 }, "provider_limits.google"],
    ["more than any mailbox sends", { zoho: 2001 }, "provider_limits.zoho"],
    ["half an email", { icloud: 1.5 }, "provider_limits.icloud"],
    ["nobody's name", { acme: 5 }, "provider_limits.acme"],
    ["those that run their own servers", { custom: 5 }, "provider_limits.custom"],
    ["null", null, "provider_limits"],
  ])("422: %s", async (_name, limits, field) => {
    expect((await set(limits)).body).toMatchObject({ status: 422, field });
  });
});

describe("a provider's limit that is reached", () => {
  const open = async (...emails: string[]) => {
    const { id } = await makeCampaign(app, [{ type: "email", subject: "Hello", body: "Hi" }]);
    await app.call("PATCH", `/campaigns/${id}`, { send_window: ROUND_THE_CLOCK });
    const leads = await addLeads(app, id, ...emails);
    await app.call("POST", `/campaigns/${id}/start`);
    return { id, leads };
  };

  test("names itself to the campaign and its lead, and ends with the mailbox's day", async () => {
    await set({ google: 1 });
    const { id, leads } = await open("annabel.lee@gmail.com", "bob.kowalski@gmail.com");
    await app.advance(6 * HOUR_MS);
    const { body: campaign } = await app.call("GET", `/campaigns/${id}`);
    expect(campaign.sending_status).toBe("provider_cap");
    const path = `/campaigns/${id}/leads/${leads[1].id}/explain`;
    const { body } = await app.call("GET", path);
    expect(body).toMatchObject({ reason: "provider_cap", estimated: false });
    expect(body.next_send_at.slice(0, 10)).toBe("2026-03-03");
  });

  test("holds that provider's leads alone, in the forecast as in the sending", async () => {
    await set({ google: 1 });
    const ours = ["annabel", "barbara", "charles"].map((name) => `${name}@gmail.com`);
    const others = ["annabel", "barbara", "charles"].map((name) => `${name}@outlook.com`);
    const { id } = await open(...ours, ...others);
    const { body } = await app.call("GET", `/campaigns/${id}/forecast?days=5`);
    const foretold = body.sends.map(({ at }: { at: string }) => at);
    await app.advance(120 * HOUR_MS);
    const sent = app.environments.test.db.raw
      .query<{ recipient: string; at: number }, []>(
        "select recipient, claimed_at as at from messages order by claimed_at",
      )
      .all();
    expect(sent.map(({ at }) => new Date(at).toISOString())).toEqual(foretold);
    const google = sent.filter(({ recipient }) => recipient.endsWith("@gmail.com"));
    const dates = google.map(({ at }) => new Date(at).toISOString().slice(8, 10));
    expect(dates).toEqual(["02", "03", "04"]);
    expect(sent.length).toBe(6);
  });
});
