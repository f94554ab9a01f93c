/** The HTTP contract of `/campaigns/{id}/leads/enroll`: leads that a view or a filter finds. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { makeCampaign } from "../../support/campaigns.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const NOBODY = "00000000-0000-7000-8000-00000000dead";

async function addToTeam(count: number, city: string): Promise<void> {
  const all = Array.from({ length: count }, (_, nth) => ({
    ...{ email: `${city}-${nth}@quiet.example`, first_name: "Ann", variables: { city } },
  }));
  for (let from = 0; from < count; from += 100) {
    const leads = all.slice(from, from + 100);
    expect((await app.call("POST", "/leads", { leads })).status).toBe(200);
  }
}

async function draft() {
  const { id } = await makeCampaign(app);
  const enroll = (body: object) => app.call("POST", `/campaigns/${id}/leads/enroll`, body);
  const emails = async () => {
    const { body } = await app.call("GET", `/campaigns/${id}/leads?limit=100`);
    return body.data.map(({ email }: { email: string }) => email).sort();
  };
  return { id, enroll, emails };
}

test("a view's leads are added, their fields as they were; a second time they are skipped", async () => {
  await addToTeam(3, "oslo");
  await addToTeam(2, "bonn");
  const view = { name: "Oslo", filter: "variables.city:oslo", sort: "email" };
  const view_id = (await app.call("POST", "/lead-views", view)).body.id;
  const { enroll, emails } = await draft();
  const tried = await enroll({ view_id, dry_run: true });
  expect(tried.body).toMatchObject({ imported: 3, next_cursor: null });
  expect(await emails()).toEqual([]);
  expect((await enroll({ view_id })).body).toMatchObject({
    ...{ imported: 3, skipped: 0, errors: [], next_cursor: null, campaign_status: "draft" },
  });
  expect(await emails()).toEqual([0, 1, 2].map((nth) => `oslo-${nth}@quiet.example`));
  const again = (await enroll({ view_id })).body;
  expect([again.imported, again.skipped, again.skipped_details[0].reason]).toEqual([
    ...[0, 3, "already_enrolled"],
  ]);
  const { data } = (await app.call("GET", "/leads?filter=email:oslo-0")).body;
  expect(data[0]).toMatchObject({ first_name: "Ann", variables: { city: "oslo" } });
});

test("2,100 leads take three calls, each lead once", async () => {
  await addToTeam(2100, "graz");
  const { id, enroll } = await draft();
  const filter = "variables.city:graz";
  const counts: number[] = [];
  let after: string | null | undefined;
  do {
    const { status, body } = await enroll({ filter, ...(after ? { after } : {}) });
    expect(status).toBe(200);
    counts.push(body.imported);
    after = body.next_cursor;
  } while (after !== null);
  expect(counts).toEqual([1000, 1000, 100]);
  expect((await app.call("GET", `/campaigns/${id}/leads?limit=1`)).body.total).toBe(2100);
});

test("who is suppressed is not added, nor who is in another campaign where that is asked", async () => {
  await addToTeam(3, "rome");
  await app.call("POST", "/suppressions", { email: "rome-0@quiet.example" });
  const first = await draft();
  expect((await first.enroll({ filter: "email:rome-1" })).body.imported).toBe(1);
  const { enroll, emails } = await draft();
  const { body } = await enroll({ filter: "", skip_if_in_other_campaign: true });
  const reasons = body.skipped_details.map(({ reason }: { reason: string }) => reason).sort();
  expect([body.imported, reasons]).toEqual([1, ["in_other_campaign", "suppressed"]]);
  expect(await emails()).toEqual(["rome-2@quiet.example"]);
});

describe("refused, naming the field", () => {
  test.each([
    ["neither a view nor a filter", {}, 422, "view_id"],
    ["both", { view_id: NOBODY, filter: "" }, 422, "view_id"],
    ["no filter of leads", { filter: "town:oslo" }, 422, "filter"],
    ["a cursor of nothing", { filter: "", after: "x" }, 422, "after"],
    ["a view that is not there", { view_id: NOBODY }, 404, null],
  ])("%s", async (_what, body, status, field) => {
    const { enroll } = await draft();
    const refused = await enroll(body);
    expect([refused.status, refused.body.field ?? null]).toEqual([status, field]);
  });

  test("a cursor of another filter, and an archived campaign", async () => {
    await addToTeam(1001, "wien");
    const { id, enroll } = await draft();
    const { next_cursor: after } = (await enroll({ filter: "" })).body;
    const other = await enroll({ filter: "email:x", after });
    expect([other.status, other.body.field]).toEqual([422, "after"]);
    await app.call("POST", `/campaigns/${id}/archive`);
    expect((await enroll({ filter: "" })).status).toBe(409);
  });
});
