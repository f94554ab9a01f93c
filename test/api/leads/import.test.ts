/** The HTTP contract of `POST /campaigns/{id}/leads`: every item ends as exactly one of three. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, addLeads, EMAIL_STEP, makeCampaign } from "../../support/campaigns.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const imports = (id: string, body: unknown) => app.call("POST", `/campaigns/${id}/leads`, body);

describe("200", () => {
  test("imports, skips and refuses, each with its reason, in the order given", async () => {
    const { id } = await makeCampaign(app);
    await addLeads(app, id, "known@example.com");
    await app.call("POST", "/suppressions", { email: "out@example.com" });
    await app.call("POST", "/suppressions", { email: "@blocked.example" });

    const { status, body } = await imports(id, {
      leads: [
        { email: " New@Example.com " },
        { email: "nonsense" },
        { email: "KNOWN@example.com" },
        { email: "new@example.com" },
        { email: "out@example.com" },
        { email: "any@blocked.example" },
        { email: "a@example.com", variables: { nested: {} } },
        { email: "b@example.com", timezone: "Mars/Olympus" },
        { email: "" },
      ],
    });

    expect(status).toBe(200);
    expect(body).toEqual({
      imported: 1,
      skipped: 4,
      errors: [
        { email: "nonsense", reason: "invalid_email" },
        { email: "a@example.com", reason: "variables_invalid" },
        { email: "b@example.com", reason: "timezone_invalid" },
        { email: "", reason: "invalid_email" },
      ],
      skipped_details: [
        { email: "KNOWN@example.com", reason: "already_enrolled" },
        { email: "new@example.com", reason: "duplicate_in_request" },
        { email: "out@example.com", reason: "suppressed" },
        { email: "any@blocked.example", reason: "suppressed_domain" },
      ],
      addresses: { risky: 0, invalid: 0, reasons: {} },
      campaign_status: "draft",
      warning: null,
    });
  });

  test("an empty array imports nothing", async () => {
    const { id } = await makeCampaign(app);
    const { status, body } = await imports(id, { leads: [] });
    expect(status).toBe(200);
    expect(body).toEqual({
      imported: 0,
      skipped: 0,
      errors: [],
      skipped_details: [],
      addresses: { risky: 0, invalid: 0, reasons: {} },
      campaign_status: "draft",
      warning: null,
    });
  });

  test("a new lead is pending, at step 0, without a next attempt", async () => {
    const { id } = await makeCampaign(app);
    const [lead] = await addLeads(app, id, "ann@example.com");
    expect(lead).toEqual({
      id: lead.id,
      campaign_id: id,
      lead_id: lead.lead_id,
      email: "ann@example.com",
      status: "pending",
      interest: null,
      next_attempt_at: null,
      current_step: 0,
      account_id: null,
      hold_reason: null,
      hold_detail: null,
      stop_reason: null,
      attempts: 0,
      last_sent_at: null,
      assignments: [],
      enrolled_at: "2026-03-02T15:00:00.000Z",
      updated_at: "2026-03-02T15:00:00.000Z",
    });
  });

  test("every field of a lead is kept", async () => {
    const { id } = await makeCampaign(app);
    const fields = {
      first_name: "Ann",
      last_name: "Lee",
      company: "Acme",
      website: "https://acme.example",
      phone: "+1 555",
      timezone: "Europe/Berlin",
      variables: { plan: "pro", seats: 5, trial: false },
    };
    const [lead] = await addLeads(app, id, { email: "ann@example.com", ...fields });
    const { body } = await app.call("GET", `/leads/${lead.lead_id}`);
    expect(body).toMatchObject({ email: "ann@example.com", ...fields });
  });

  test("one record a team and address, an enrollment for each campaign", async () => {
    const one = await makeCampaign(app);
    const two = await makeCampaign(app);
    const [first] = await addLeads(app, one.id, "ann@example.com");
    const [second] = await addLeads(app, two.id, "ANN@example.com");
    expect(second.lead_id).toBe(first.lead_id);
    expect(second.id).not.toBe(first.id);
    expect((await app.call("GET", "/leads")).body.total).toBe(1);
  });

  test("skip_if_in_other_campaign leaves those out who are in another one", async () => {
    const one = await makeCampaign(app);
    const two = await makeCampaign(app);
    await addLeads(app, one.id, "ann@example.com");
    const leads = [{ email: "ann@example.com" }, { email: "bob@example.com" }];
    const { body } = await imports(two.id, { leads, skip_if_in_other_campaign: true });
    expect(body).toMatchObject({
      imported: 1,
      skipped_details: [{ email: "ann@example.com", reason: "in_other_campaign" }],
    });
  });

  test("dry_run answers the same and stores nothing", async () => {
    const { id } = await makeCampaign(app);
    const leads = [{ email: "a@example.com" }, { email: "A@example.com" }, { email: "x" }];
    const dry = await imports(id, { leads, dry_run: true });
    expect((await app.call("GET", `/campaigns/${id}/leads`)).body.total).toBe(0);
    expect((await app.call("GET", "/leads")).body.total).toBe(0);
    expect((await imports(id, { leads })).body).toEqual(dry.body);
  });

  test.each([
    ["keep", { first_name: "Ann", company: "Acme", variables: { a: 1, b: 2 } }],
    ["merge", { first_name: "Anna", company: "Acme", variables: { a: 1, b: 3, c: 4 } }],
    ["replace", { first_name: "Anna", company: null, variables: { b: 3, c: 4 } }],
    [undefined, { first_name: "Anna", company: "Acme", variables: { a: 1, b: 3, c: 4 } }],
  ])("existing: %s", async (existing, expected) => {
    const { id } = await makeCampaign(app);
    const other = await makeCampaign(app);
    const email = "ann@example.com";
    const before = { first_name: "Ann", company: "Acme", variables: { a: 1, b: 2 } };
    const [lead] = await addLeads(app, other.id, { email, ...before });
    const item = { email, first_name: "Anna", company: " ", variables: { b: 3, c: 4, a: null } };
    const { body } = await imports(id, { leads: [item], ...(existing && { existing }) });
    expect(body.imported).toBe(1);
    expect((await app.call("GET", `/leads/${lead.lead_id}`)).body).toMatchObject(expected);
  });

  test("ten thousand at once, in slices", async () => {
    const { id } = await makeCampaign(app);
    const leads = Array.from({ length: 10_000 }, (_, n) => ({ email: `lead${n}@example.com` }));
    expect((await imports(id, { leads })).body).toMatchObject({ imported: 10_000, skipped: 0 });
    const { body } = await app.call("GET", `/campaigns/${id}/leads?limit=1`);
    expect(body).toMatchObject({ total: 10_000, hasMore: true });
    expect((await app.call("GET", `/campaigns/${id}/stats`)).body).toMatchObject({
      enrolled: 10_000,
      open: 10_000,
    });
  });

  test("adding leads lets a completed campaign go on when it is evergreen", async () => {
    const { id } = await makeCampaign(app, [{ ...EMAIL_STEP, subject: "Hi" }]);
    await addAccount(app);
    const [lead] = await addLeads(app, id, "ann@example.com");
    await app.call("POST", `/campaigns/${id}/start`);
    const path = `/campaigns/${id}/leads/${lead.lead_id}`;
    await app.call("PATCH", path, { status: "completed" });
    expect((await app.call("GET", `/campaigns/${id}`)).body.status).toBe("completed");
    await addLeads(app, id, "bob@example.com");
    expect((await app.call("GET", `/campaigns/${id}`)).body.status).toBe("active");
  });

  test("the same Idempotency-Key answers the same and imports once", async () => {
    const { id } = await makeCampaign(app);
    const headers = { "Idempotency-Key": "import-1" };
    const body = { leads: [{ email: "a@example.com" }] };
    const first = await app.call("POST", `/campaigns/${id}/leads`, body, { headers });
    const again = await app.call("POST", `/campaigns/${id}/leads`, body, { headers });
    expect(first.body.imported).toBe(1);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
  });
});

describe("422: the place is named, and nothing is stored", () => {
  const good = { email: "a@example.com" };
  test.each([
    ["no leads", {}, "leads"],
    ["leads that are no list", { leads: {} }, "leads"],
    ["an item without an address", { leads: [good, {}] }, "leads.1.email"],
    ["an address that is no text", { leads: [good, { email: 5 }] }, "leads.1.email"],
    ["an item that is no object", { leads: [good, "x@example.com"] }, "leads.1"],
    ["an unknown field", { leads: [good, { ...good, name: "x" }] }, "leads.1.name"],
    ["a name with a line end", { leads: [{ ...good, first_name: "a\nb" }] }, "leads.0.first_name"],
    ["variables that are no object", { leads: [{ ...good, variables: 1 }] }, "leads.0.variables"],
    ["an unknown rule", { leads: [good], existing: "drop" }, "existing"],
    ["an unknown option", { leads: [good], force: true }, "force"],
  ])("%s", async (_name, input, field) => {
    const { id } = await makeCampaign(app);
    const { status, body } = await imports(id, input);
    expect([status, body.type, body.field]).toEqual([422, "validation_error", field]);
    expect((await app.call("GET", "/leads")).body.total).toBe(0);
  });

  test("10,001 items", async () => {
    const { id } = await makeCampaign(app);
    const leads = Array.from({ length: 10_001 }, (_, n) => ({ email: `lead${n}@example.com` }));
    const { status, body } = await imports(id, { leads });
    expect([status, body.field]).toEqual([422, "leads"]);
    expect((await app.call("GET", "/leads")).body.total).toBe(0);
  });
});

test("409: nothing is added to an archived campaign", async () => {
  const { id } = await makeCampaign(app);
  await app.call("POST", `/campaigns/${id}/archive`);
  expect((await imports(id, { leads: [] })).status).toBe(409);
});

test("404: another team's campaign", async () => {
  const { id } = await makeCampaign(app);
  const { keys } = await app.addTeam("Other");
  const body = { leads: [{ email: "a@example.com" }] };
  const answer = await app.call("POST", `/campaigns/${id}/leads`, body, { key: keys.test });
  expect(answer.status).toBe(404);
  expect((await app.call("GET", "/leads")).body.total).toBe(0);
});

test("imported + skipped + errors is the number of items, and the counters follow", async () => {
  const { id } = await makeCampaign(app);
  await app.call("POST", "/suppressions", { email: "p0@example.com" });
  await app.call("POST", "/suppressions", { email: "@gone.example" });
  const address = fc.oneof(
    fc.nat(12).map((n) => `p${n}@example.com`),
    fc.nat(3).map((n) => `P${n}@Example.COM `),
    fc.constantFrom("x@gone.example", "", "a@b", "ä@exämple.de", "two@@example.com", "\u0000"),
    fc.string({ maxLength: 20 }),
  );
  const variables = fc.constantFrom(undefined, { a: 1 }, { a: null }, { a: [] }, { "": 1 });
  const item = fc.record({ email: address, variables });
  await fc.assert(
    fc.asyncProperty(fc.array(item, { maxLength: 20 }), fc.boolean(), async (leads, dry) => {
      const before = (await app.call("GET", `/campaigns/${id}/stats`)).body.enrolled;
      const { status, body } = await imports(id, { leads, dry_run: dry });
      expect(status).toBe(200);
      expect(body.imported + body.skipped + body.errors.length).toBe(leads.length);
      expect(body.skipped_details).toHaveLength(body.skipped);
      const after = (await app.call("GET", `/campaigns/${id}/stats`)).body.enrolled;
      expect(after - before).toBe(dry ? 0 : body.imported);
      expect((await app.call("GET", `/campaigns/${id}/leads`)).body.total).toBe(after);
    }),
    { numRuns: 100 },
  );
});
