/** The HTTP contract of duplicates and of merging leads: what is filled in, and to whom nothing is sent. */

import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { listLeads } from "#store/leads/leads.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { importFile } from "../../support/imports.ts";
import { comeBack } from "../../support/inbox.ts";
import { addFastAccount, merging } from "../../support/merges/calls.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const { addLeads, enroll, leadsOf, makeSteps, merge } = merging(() => app);

const NOBODY = "00000000-0000-7000-8000-00000000dead";

describe("GET /leads/duplicates", () => {
  const groupsOf = async () => {
    const { body } = await app.call("GET", "/leads/duplicates");
    return body.data.map(({ reasons, leads }: { reasons: string[]; leads: { email: string }[] }) =>
      [reasons.join(), ...leads.map(({ email }) => email)].join(" "),
    );
  };

  test("says which leads are probably one person, and why; the surest first", async () => {
    const ann = { first_name: "Ann", last_name: "Lee", company: "Acme, Inc." };
    await addLeads(
      { email: "ann@acme.example", ...ann },
      { email: "ann.lee@gmail.com", ...ann, company: "ACME" },
      { email: "b.o+news@googlemail.com" },
      { email: "bo@gmail.com" },
      { email: "cy@a.example", variables: { linkedin: "https://www.linkedin.com/in/cy-x/" } },
      { email: "cy@b.example", variables: { li: "linkedin.com/in/Cy-X?trk=1" } },
      { email: "di@a.example", first_name: "Di", last_name: "Poe", phone: "+1 (555) 010-0199" },
      { email: "di@b.example", first_name: "Di", last_name: "Poe", phone: "555 010 0199" },
      { email: "eve@a.example", first_name: "Eve", last_name: "Stone", company: "Third" },
      { email: "eva@b.example", first_name: "Eve", last_name: "Stoen", company: "Third Ltd" },
    );
    expect(await groupsOf()).toEqual([
      "same_mailbox b.o+news@googlemail.com bo@gmail.com",
      "same_profile cy@a.example cy@b.example",
      "same_phone di@a.example di@b.example",
      "same_name eve@a.example eva@b.example",
      "same_name ann@acme.example ann.lee@gmail.com",
    ]);
    const page = (await app.call("GET", "/leads/duplicates?limit=2&offset=1")).body;
    expect(page).toMatchObject({ total: 5, scanned: 10, hasMore: true });
    expect(page.data.map(({ reasons }: { reasons: string[] }) => reasons[0])).toEqual([
      ...["same_profile", "same_phone"],
    ]);
  });

  test("people who only share something are not taken for one", async () => {
    await addLeads(
      // A couple, and colleagues behind one switchboard.
      { email: "a@x.example", first_name: "Kim", last_name: "Roe", phone: "555 010 0200" },
      { email: "b@x.example", first_name: "Lou", last_name: "Roe", phone: "555 010 0200" },
      // Namesakes at different companies, and at none.
      { email: "c@y.example", first_name: "John", last_name: "Smith", company: "Yon" },
      { email: "d@z.example", first_name: "John", last_name: "Smith", company: "Zed" },
      { email: "e@z.example", first_name: "John", last_name: "Smith" },
      // Short names differ by a letter, and long ones by two.
      { email: "f@q.example", first_name: "Tim", last_name: "Orr", company: "Quo" },
      { email: "g@q.example", first_name: "Tom", last_name: "Orr", company: "Quo" },
      { email: "h@q.example", first_name: "Tom", last_name: "Hansen", company: "Quo" },
      { email: "i@q.example", first_name: "Tom", last_name: "Hanssan", company: "Quo" },
      // Dots count but at Gmail; placeholders are no phone numbers.
      { email: "j.k@m.example", first_name: "J", last_name: "K", phone: "000 000 0000" },
      { email: "jk@m.example", first_name: "J", last_name: "K", phone: "0000000000" },
    );
    expect(await groupsOf()).toEqual([]);
  });

  test("another team's leads are not compared", async () => {
    const { keys } = await app.addTeam("Other");
    const lead = { email: "bo+a@gmail.com" };
    await app.call("POST", "/leads", { leads: [lead] }, { key: keys.test });
    await addLeads({ email: "bo@gmail.com" });
    expect(await groupsOf()).toEqual([]);
  });
});

describe("POST /leads/{id}/merge", () => {
  test("fills in what is missing, shows what differs, and unites tags; nothing of a dry run stays", async () => {
    const [stays = "", goes = ""] = await addLeads(
      { email: "ann@acme.example", first_name: "Ann", variables: { city: "Oslo" }, tags: ["a"] },
      {
        ...{ email: "ann@gmail.com", first_name: "Anna", company: "Acme", tags: ["b"] },
        variables: { city: "Bonn", plan: "pro" },
      },
    );
    const body = { lead_ids: [goes] };
    const tried = await app.call("POST", `/leads/${stays}/merge?dry_run=true`, body);
    expect((await app.call("GET", `/leads/${goes}`)).status).toBe(200);
    const merged = await app.call("POST", `/leads/${stays}/merge`, body);
    expect(merged.status).toBe(200);
    expect(tried.body.conflicts).toEqual(merged.body.conflicts);
    expect(merged.body).toMatchObject({
      lead: {
        ...{ id: stays, email: "ann@acme.example", first_name: "Ann", company: "Acme" },
        ...{ variables: { city: "Oslo", plan: "pro" }, tags: ["a", "b"] },
      },
      ...{ merged: 1, stopped: 0, suppressed: null },
      conflicts: [
        { field: "first_name", kept: "Ann", others: ["Anna"] },
        { field: "variables.city", kept: "Oslo", others: ["Bonn"] },
      ],
    });
    expect((await app.call("GET", `/leads/${goes}`)).status).toBe(404);
    expect((await app.call("GET", "/leads")).body.total).toBe(1);
    const events = (await app.call("GET", "/events?type=lead.merged")).body.data;
    expect(events.map(({ data }: { data: object }) => data)).toEqual([
      { lead_id: stays, merged_lead_ids: [goes] },
    ]);
  });

  test("the old address finds the lead: an import makes no second one", async () => {
    const [stays = "", goes = ""] = await addLeads(
      { email: "a@x.example" },
      { email: "b@y.example" },
    );
    await merge(stays, goes);
    const id = await makeSteps(1);
    const again = await app.call("POST", `/campaigns/${id}/leads`, {
      leads: [{ email: "b@y.example" }, { email: "a@x.example" }],
    });
    expect(again.body).toMatchObject({ imported: 1, skipped: 1 });
    expect(await leadsOf(id)).toMatchObject([{ lead_id: stays, email: "a@x.example" }]);
    expect((await app.call("GET", "/leads")).body).toMatchObject({
      total: 1,
      data: [{ id: stays }],
    });
    const upserted = await app.call("POST", "/leads", { leads: [{ email: "b@y.example" }] });
    expect(upserted.body).toMatchObject({ created: 0, data: [{ id: stays }] });
  });

  test.each([
    ["itself", (own: string) => [own], "lead_ids.0"],
    ["somebody who is not there", () => [NOBODY], "lead_ids.0"],
    ["the same lead twice", (_own: string, other: string) => [other, other], "lead_ids"],
    ["nobody", () => [], "lead_ids"],
    ["itself in capitals", (own: string) => [own.toUpperCase()], "lead_ids.0"],
    [
      "the same lead twice, once in capitals",
      (_own: string, other: string) => [other, other.toUpperCase()],
      "lead_ids",
    ],
  ])("refuses %s", async (_what, ids, field) => {
    const [own = "", other = ""] = await addLeads(
      { email: "a@x.example" },
      { email: "b@y.example" },
    );
    const { status, body } = await merge(own, ...ids(own, other));
    expect([status, body.field]).toEqual([422, field]);
    expect((await app.call("GET", "/leads")).body.total).toBe(2);
  });

  test.each(["email=B@y.example", "search=b@y.example", "filter=email:b@y", "filter=b@y.example"])(
    "the old address finds the lead: GET /leads?%s",
    async (query) => {
      const [stays = "", goes = ""] = await addLeads(
        { email: "a@x.example" },
        { email: "b@y.example" },
        { email: "c@z.example" },
      );
      await merge(stays, goes);
      await app.advance(1000);
      const { data } = (await app.call("GET", `/leads?${query}`)).body;
      expect(data.map(({ id }: { id: string }) => id)).toEqual([stays]);
    },
  );

  test("takes ids in capitals", async () => {
    const [stays = "", goes = ""] = await addLeads(
      { email: "a@x.example", tags: ["a"] },
      { email: "b@y.example", tags: ["b"] },
    );
    const { status, body } = await merge(stays.toUpperCase(), goes.toUpperCase());
    expect([status, body.merged, body.lead.id, body.lead.tags]).toEqual([
      200,
      1,
      stays,
      ["a", "b"],
    ]);
    const [event] = (await app.call("GET", "/events?type=lead.merged")).body.data;
    expect(event.data).toEqual({ lead_id: stays, merged_lead_ids: [goes] });
  });

  test("refuses another team's lead, on either side", async () => {
    const { keys } = await app.addTeam("Other");
    const theirs = await app.call(
      "POST",
      "/leads",
      { leads: [{ email: "c@z.example" }] },
      {
        key: keys.test,
      },
    );
    const [own = ""] = await addLeads({ email: "a@x.example" });
    expect((await merge(own, theirs.body.data[0].id)).status).toBe(422);
    expect((await merge(theirs.body.data[0].id, own)).status).toBe(404);
  });
});

test("a newer lead is listed by where an older one stood, among more than are counted", async () => {
  const id = await makeSteps(1);
  const emails = Array.from({ length: 10_002 }, (_, at) => `p${at}@many.example`);
  for (const from of [0, 6000]) {
    expect((await enroll(id, ...emails.slice(from, from + 6000))).status).toBe(200);
  }
  const { data } = (await app.call("GET", "/leads?email=p7@many.example")).body;
  const [stays = ""] = await addLeads({ email: "a@x.example" });
  await merge(stays, data[0].id);
  const { body } = await app.call("GET", "/leads?status=pending&limit=1");
  expect(body).toMatchObject({ total_is_capped: true, data: [{ id: stays }] });
});

test.each([0, 1])("a person is one task, after %d emails", async (emails) => {
  await addFastAccount(app);
  const id = await makeSteps(emails);
  const task = { type: "task", subject: "Call", body: "Call them", wait_days: 0 };
  await app.call("POST", `/campaigns/${id}/steps`, task);
  await enroll(id, "a@x.example", "b@y.example");
  await app.call("POST", `/campaigns/${id}/start`);
  await app.advance(60 * 60_000);
  expect((await app.call("GET", "/tasks?done=false")).body.total).toBe(2);
  const [newer, older] = await leadsOf(id);
  await merge(newer?.lead_id ?? "", older?.lead_id ?? "");
  const { data, total } = (await app.call("GET", "/tasks?done=false")).body;
  expect(total).toBe(1);
  await app.call("PATCH", `/tasks/${data[0].id}`, { done: true });
  const { body } = await app.call("GET", `/campaigns/${id}/leads/${newer?.lead_id}`);
  expect([body.status, body.stop_reason]).toEqual(["completed", "sequence_finished"]);
});

/** Two leads that were written to and are one since. */
async function mergedUnderWay() {
  await addFastAccount(app);
  const id = await makeSteps();
  await enroll(id, "a@x.example", "b@y.example");
  await app.call("POST", `/campaigns/${id}/start`);
  await app.advance(60 * 60_000);
  const [newer, older] = await leadsOf(id);
  await merge(newer?.lead_id ?? "", older?.lead_id ?? "");
  return { id, newer, older };
}

test("an interest in a reply to a sequence that gave way is that of the one that stands", async () => {
  const { id, newer, older } = await mergedUnderWay();
  const path = `/campaigns/${id}/leads`;
  const { id: standing } = (await app.call("GET", `${path}/${newer?.lead_id}`)).body;
  const lesser = standing === newer?.id ? older?.id : newer?.id;
  await app.call("PATCH", `${path}/${standing}`, { interest: "neutral" });
  await comeBack(app, { kind: "interested", enrollment_id: lesser });
  const { body } = await app.call("GET", `${path}/${standing}`);
  expect([body.status, body.interest]).toEqual(["replied", "interested"]);
  expect((await app.call("GET", "/events?type=lead.interested")).body.data).toHaveLength(1);
  const [reply] = (await app.call("GET", `/inbox/threads/${lesser}`)).body.messages.filter(
    ({ direction }: { direction: string }) => direction === "in",
  );
  await app.call("PATCH", `/messages/${reply.id}`, { kind: "notice" });
  const { status, interest } = (await app.call("GET", `${path}/${standing}`)).body;
  expect([status, interest]).toEqual(["active", "neutral"]);
});

test("undoing an import leaves a sequence in its place to which another gave way", async () => {
  await addFastAccount(app);
  const id = await makeSteps();
  await enroll(id, "a@x.example");
  await app.call("POST", `/campaigns/${id}/start`);
  await app.advance(60 * 60_000);
  const [older] = await leadsOf(id);
  await comeBack(app, { kind: "bounce", enrollment_id: older?.id });
  await app.call("POST", `/campaigns/${id}/pause`);
  const run = (await importFile(app, id, "email\nb@y.example\n")).body;
  const [newer] = await leadsOf(id);
  await merge(newer?.lead_id ?? "", older?.lead_id ?? "");
  const undone = await app.call("POST", `/imports/${run.id}/undo`);
  expect(undone.body).toMatchObject({ removed: 0, left: 1 });
  const { body } = await app.call("GET", `/campaigns/${id}/leads/${newer?.lead_id}`);
  expect([body.id, body.status]).toEqual([newer?.id, "pending"]);
});

test("where a lead stands says the sequence that goes on, and counts its campaign once", async () => {
  const { id } = await mergedUnderWay();
  expect((await leadsOf(id)).map(({ status }) => status).sort()).toEqual(["active", "completed"]);
  const [lead] = (await app.call("GET", "/leads?include=campaign")).body.data;
  expect(lead.campaign).toMatchObject({ id, status: "active", campaigns: 1 });
  const found = [];
  for (const query of ["status=completed", "filter=status:completed", "filter=-status:completed"]) {
    found.push((await app.call("GET", `/leads?${query}`)).body.total);
  }
  expect(found).toEqual([0, 0, 1]);
});

test("a page of leads by where they stand looks at no alias but the last", async () => {
  const spy = spyOn(Database.prototype, "prepare");
  const env = app.environments.test;
  listLeads(env.db, app.team.id, { status: "pending" }, { limit: 1, offset: 0 });
  const id = await makeSteps(1);
  const emails = Array.from({ length: 10_001 }, (_, at) => `p${at}@many.example`);
  await enroll(id, ...emails.slice(0, 5000));
  await enroll(id, ...emails.slice(5000));
  listLeads(env.db, app.team.id, { status: "pending" }, { limit: 1, offset: 0 });
  const asked = spy.mock.calls.map(([sql]) => sql).filter((sql) => sql.includes("lead_aliases"));
  spy.mockRestore();
  const details = asked.flatMap((sql) =>
    env.db.raw
      .query<{ detail: string }, number[]>(`explain query plan ${sql}`)
      .all(...Array.from({ length: sql.split("?").length - 1 }, () => 1))
      .map(({ detail }) => detail),
  );
  const ofAliases = details.filter((detail) => detail.includes("lead_aliases"));
  expect(ofAliases).toEqual(["SEARCH lead_aliases USING COVERING INDEX lead_aliases_lead"]);
});

test("undoing the import that made a lead keeps it, where others were merged into it", async () => {
  const [goes = ""] = await addLeads({ email: "a@x.example", company: "Acme" });
  const id = await makeSteps(1);
  const run = (await importFile(app, id, "email\nb@y.example\n")).body;
  const [stays = ""] = (await leadsOf(id)).map(({ lead_id }) => lead_id);
  await merge(stays, goes);
  expect((await app.call("POST", `/imports/${run.id}/undo`)).status).toBeLessThan(300);
  expect((await app.call("GET", `/leads/${stays}`)).body.company).toBe("Acme");
});
