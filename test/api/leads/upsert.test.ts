/** `POST /leads`: new addresses become leads, known ones are changed, all or none. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addLeads, makeCampaign } from "../../support/campaigns.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const upsert = (...leads: object[]) => app.call("POST", "/leads", { leads });

test("creates, changes, merges variables and adds tags", async () => {
  const first = await upsert(
    { email: " Ann@Example.com", company: "Acme", variables: { a: 1 }, tags: ["X"] },
    { email: "bob@example.com" },
  );
  expect([first.status, first.body.created]).toEqual([200, 2]);
  expect(first.body.data[0]).toMatchObject({ email: "ann@example.com", tags: ["x"] });
  const again = await upsert({
    ...{ email: "ann@example.com", first_name: "Ann", variables: { b: 2 }, tags: ["y"] },
  });
  expect(again.body).toMatchObject({
    created: 0,
    data: [
      {
        ...{ id: first.body.data[0].id, company: "Acme", first_name: "Ann" },
        ...{ variables: { a: 1, b: 2 }, tags: ["x", "y"] },
      },
    ],
  });
  const { body } = await app.call("GET", "/leads");
  expect(body.total).toBe(2);
  await app.call("DELETE", `/leads/${first.body.data[1].id}`);
  expect((await app.call("GET", "/leads")).body.total).toBe(1);
});

test("a lead of a campaign is the same lead, and a new one can be added to one", async () => {
  const { id } = await makeCampaign(app);
  const [ann] = await addLeads(app, id, "ann@example.com");
  const { body } = await upsert({ email: "ann@example.com", company: "Acme" });
  expect(body.data[0].id).toBe(ann.lead_id);
  await upsert({ email: "new@example.com" });
  await addLeads(app, id, "new@example.com");
  expect((await app.call("GET", "/leads")).body.total).toBe(2);
});

test.each([
  ["leads.1.email", { email: "nonsense" }],
  ["leads.1.timezone", { email: "b@example.com", timezone: "Mars/Olympus" }],
  ["leads.1.variables.n", { email: "b@example.com", variables: { n: "x".repeat(10_001) } }],
  ["leads.1.tags.0", { email: "b@example.com", tags: ["a,b"] }],
  ["leads.1.surname", { email: "b@example.com", surname: "Lee" }],
])("422 names %s, and nothing is stored", async (field, lead) => {
  const { status, body } = await upsert({ email: "a@example.com" }, lead);
  expect([status, body.field]).toEqual([422, field]);
  expect((await app.call("GET", "/leads")).body.total).toBe(0);
});
