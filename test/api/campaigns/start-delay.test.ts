/** A start that waits before the first email, and can be taken back by pausing until then. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, addLeads, makeCampaign } from "../../support/campaigns.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
  app.environments.clock.setSpeed(0);
});
afterEach(() => app.close());

const SECOND_MS = 1_000;
const ready = async () => {
  await addAccount(app);
  const { id } = await makeCampaign(app, [{ type: "email", subject: "Hi", body: "Hello" }]);
  await addLeads(app, id, "a@x.example.org", "b@x.example.org");
  return id;
};
const firstClaim = () =>
  app.environments.test.db.raw
    .query<{ at: number | null }, []>("select min(claimed_at) at from messages")
    .get()?.at ?? null;

test("nothing is claimed within the delay, and the forecast says so", async () => {
  const id = await ready();
  const now = app.environments.clock.now();
  const start = await app.call("POST", `/campaigns/${id}/start`, { delay_seconds: 10 });
  expect([start.status, start.body.status]).toEqual([200, "active"]);
  const { next_send_at } = (await app.call("GET", `/campaigns/${id}`)).body;
  expect(Date.parse(next_send_at)).toBeGreaterThanOrEqual(now + 10 * SECOND_MS);
  await app.advance(9 * SECOND_MS);
  expect(firstClaim()).toBeNull();
  await app.advance(3_600 * SECOND_MS);
  expect(firstClaim()).toBe(Date.parse(next_send_at));
});

test("paused within the delay, nothing is ever sent", async () => {
  const id = await ready();
  await app.call("POST", `/campaigns/${id}/start`, { delay_seconds: 10 });
  await app.advance(9_999);
  expect((await app.call("POST", `/campaigns/${id}/pause`)).body).toMatchObject({
    status: "paused",
    in_flight: 0,
  });
  await app.advance(48 * 3_600 * SECOND_MS);
  expect(firstClaim()).toBeNull();
});

test("another campaign on the same mailbox isn't held up, and brings nothing forward", async () => {
  const id = await ready();
  const { id: other } = await makeCampaign(app, [{ type: "email", subject: "Hi", body: "Hello" }]);
  await addLeads(app, other, "c@y.example.org");
  await app.call("POST", `/campaigns/${id}/start`, { delay_seconds: 60 });
  await app.call("POST", `/campaigns/${other}/start`);
  await app.advance(59 * SECOND_MS);
  const sent = app.environments.test.db.raw.query("select recipient from messages").all();
  expect(sent).toEqual([{ recipient: "c@y.example.org" }]);
});

test("without it the first email goes out as before; a clock that is set back delays by a minute at most", async () => {
  const id = await ready();
  const now = app.environments.clock.now();
  await app.call("POST", `/campaigns/${id}/start`);
  app.environments.test.db.raw.run("update campaigns set started_at = started_at + 7200000");
  await app.advance(1_800 * SECOND_MS);
  expect(firstClaim()).toBeLessThanOrEqual(now + 60 * SECOND_MS);
});

test.each([-1, 61, 1.5, "10"])("422: %p", async (delay_seconds) => {
  const id = await ready();
  const { status, body } = await app.call("POST", `/campaigns/${id}/start`, { delay_seconds });
  expect([status, body.field]).toEqual([422, "delay_seconds"]);
});

test.each([
  ["none", undefined],
  ["null, as generated clients say it", null],
  ["an empty one", {}],
])("a body that is left out: %s", async (_name, body) => {
  const id = await ready();
  const path = `/campaigns/${id}/start`;
  expect((await app.call("POST", path, body)).body.status).toBe("active");
});

test("in a batch, too", async () => {
  const id = await ready();
  const operations = [{ method: "POST", path: `/campaigns/${id}/start`, body: null }];
  const { results } = (await app.call("POST", "/batch", { operations })).body;
  expect(results[0]).toMatchObject({ status: 200, body: { status: "active" } });
});
