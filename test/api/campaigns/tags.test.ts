/** Tags of leads, campaigns and mailboxes: normalized, bounded, shown, filtered by, imported and taken back. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, addLeads, makeCampaign } from "../../support/campaigns.ts";
import { importFile } from "../../support/imports.ts";

let app: TestApp;
let campaign: string;
beforeEach(async () => {
  app = await createTestApp();
  campaign = (await makeCampaign(app)).id;
});
afterEach(() => app.close());

const leadOf = async (email: string) =>
  (await app.call("GET", `/leads?email=${encodeURIComponent(email)}`)).body.data[0];
const emails = async (query: string) =>
  (await app.call("GET", `/leads?${query}`)).body.data.map(({ email }: { email: string }) => email);

describe("POST /leads/tags", () => {
  test("adds and removes; upper case, blanks and repeats are one tag", async () => {
    const [ann, bob] = await addLeads(app, campaign, "ann@example.com", "bob@example.com");
    const ids = [ann.lead_id, bob.lead_id];
    const { status, body } = await app.call("POST", "/leads/tags", {
      ids,
      add: [" DACH ", "dach", "Head  of Sales"],
    });
    expect(status).toBe(200);
    expect(body.data).toEqual(ids.map((id) => ({ id, tags: ["dach", "head of sales"] })));
    await app.call("POST", "/leads/tags", { ids: [bob.lead_id], remove: ["Dach"], add: ["vip"] });
    expect(await leadOf("bob@example.com")).toMatchObject({ tags: ["head of sales", "vip"] });
    expect(await emails("tag=DACH")).toEqual(["ann@example.com"]);
    expect(await emails("tag=head%20of%20sales&limit=1")).toEqual(["bob@example.com"]);
    expect(await emails("tag=vip&email=ann@example.com")).toEqual([]);
    expect(await emails("tag=vip&status=pending")).toEqual(["bob@example.com"]);
    const { body: list } = await app.call("GET", `/leads/tags?ids=${ids[1]}`);
    expect(list).toEqual({
      names: ["dach", "head of sales", "vip"],
      data: [{ id: ids[1], tags: ["head of sales", "vip"] }],
    });
    const { body: log } = await app.call("GET", `/audit?target=lead:${ids[1]}`);
    expect(log.data[0]).toMatchObject({
      action: "lead.tag",
      after: { tags: ["head of sales", "vip"] },
    });
  });

  test.each([
    ["add.0", { add: ["a,b"] }],
    ["add.1", { add: ["a", " "] }],
    ["add.0", { add: ["x".repeat(51)] }],
    ["add", { add: Array.from({ length: 21 }, (_, n) => `t${n}`) }],
  ])("422 names %s", async (field, change) => {
    const [ann] = await addLeads(app, campaign, "ann@example.com");
    const { status, body } = await app.call("POST", "/leads/tags", {
      ids: [ann.lead_id],
      ...change,
    });
    expect([status, body.field]).toEqual([422, field]);
    expect((await leadOf("ann@example.com")).tags).toEqual([]);
  });

  test("422: one has twenty at most, over several requests too; another team's is nobody's", async () => {
    const [ann] = await addLeads(app, campaign, "ann@example.com");
    const add = (names: string[]) =>
      app.call("POST", "/leads/tags", { ids: [ann.lead_id], add: names });
    expect((await add(Array.from({ length: 20 }, (_, n) => `t${n}`))).status).toBe(200);
    expect((await add(["more"])).body).toMatchObject({ status: 422, field: "add" });
    const { key } = { key: (await app.addTeam("Other")).keys.test };
    const theirs = await app.call(
      "POST",
      "/leads/tags",
      { ids: [ann.lead_id], add: ["x"] },
      { key },
    );
    expect([theirs.status, theirs.body.field]).toEqual([422, "ids.0"]);
    expect((await app.call("GET", "/leads/tags", undefined, { key })).body.names).toEqual([]);
  });
});

test("campaigns and mailboxes have tags, beside their records, and are filtered by them", async () => {
  const account = await addAccount(app);
  const other = (await makeCampaign(app)).id;
  await app.call("POST", "/campaigns/tags", { ids: [other], add: ["Q3"] });
  await app.call("POST", "/accounts/tags", { ids: [account.id], add: ["warm"] });
  const { body } = await app.call("GET", "/campaigns?tag=q3");
  expect([body.total, body.data[0].id, "tags" in body.data[0]]).toEqual([1, other, false]);
  expect((await app.call("GET", "/campaigns?tag=q3&status=active")).body.total).toBe(0);
  expect((await app.call("GET", "/accounts?tag=warm")).body.data).toHaveLength(1);
  expect((await app.call("GET", "/accounts?tag=cold")).body.data).toEqual([]);
  expect((await app.call("GET", "/campaigns?tag=a,b")).body.field).toBe("tag");
  await app.call("DELETE", `/campaigns/${other}`);
  expect((await app.call("GET", "/campaigns/tags")).body.names).toEqual([]);
});

test("PATCH replaces a lead's tags, and its ETag covers them", async () => {
  const [ann] = await addLeads(app, campaign, "ann@example.com");
  const at = `/leads/${ann.lead_id}`;
  const etag = (await app.call("GET", at)).headers.get("etag") ?? "";
  const { body } = await app.call("PATCH", at, { tags: ["B", "a"] });
  expect(body.tags).toEqual(["a", "b"]);
  const headers = { "If-Match": etag };
  expect((await app.call("PATCH", at, { tags: [] }, { headers })).status).toBe(412);
  expect((await app.call("PATCH", at, { tags: ["x|y"] })).body.field).toBe("tags.0");
});

describe("an import", () => {
  test("adds tags from a column and from JSON, exports them, and is undone with them", async () => {
    await addLeads(app, campaign, "old@example.com");
    const id = (await leadOf("old@example.com")).id;
    await app.call("POST", "/leads/tags", { ids: [id], add: ["mine"] });
    const other = (await makeCampaign(app)).id;
    const file = 'email,Tags\nold@example.com,"Mine; DACH"\nnew@example.com,"a, b"\n';
    const { body } = await importFile(app, other, file);
    expect(body).toMatchObject({ imported: 2, overwritten: 1 });
    expect((await leadOf("old@example.com")).tags).toEqual(["dach", "mine"]);
    const { text } = await app.call("GET", "/exports/leads?format=csv");
    expect(text).toContain('"a, b"');
    await app.call("POST", `/imports/${body.id}/undo`);
    expect((await leadOf("old@example.com")).tags).toEqual(["mine"]);
    expect((await app.call("GET", "/leads/tags")).body.names).toEqual(["mine"]);

    const { body: added } = await app.call("POST", `/campaigns/${other}/leads`, {
      leads: [
        { email: "j@example.com", tags: ["J"] },
        { email: "k@example.com", tags: ["a,b"] },
      ],
    });
    expect(added).toMatchObject({
      imported: 1,
      errors: [{ email: "k@example.com", reason: "tags_invalid" }],
    });
    expect((await leadOf("j@example.com")).tags).toEqual(["j"]);
    const lines = '{"email":"l@example.com","tags":["L"]}\n{"email":"m@example.com","tags":"L"}\n';
    const nd = await importFile(app, other, lines, { type: "application/x-ndjson" });
    expect(nd.body).toMatchObject({ imported: 1, reasons: { invalid_line: 1 } });
  });
});

test("erasing a lead takes its tags along", async () => {
  const [ann] = await addLeads(app, campaign, "ann@example.com");
  await app.call("POST", "/leads/tags", { ids: [ann.lead_id], add: ["x"] });
  await app.call("DELETE", `/leads/${ann.lead_id}`);
  expect((await app.call("GET", "/leads/tags")).body.names).toEqual([]);
});
