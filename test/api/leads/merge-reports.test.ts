/** What a mailbox reports after its address was merged into another says nothing of the one that is written to. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { DAY_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { comeBack, threadOf } from "../../support/inbox.ts";
import { addFastAccount, merging } from "../../support/merges/calls.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const { at, enroll, makeSteps, merge, sentTo } = merging(() => app);
const OLD = "old@x.example";
const NEW = "new@y.example";

/** The sequence that has written to the old address three times goes on at the new one. */
async function moved() {
  await addFastAccount(app);
  const id = await makeSteps(5);
  await enroll(id, OLD);
  await app.call("POST", `/campaigns/${id}/start`);
  await app.advance(5 * DAY_MS);
  expect(await sentTo(OLD)).toHaveLength(3);
  const { id: enrollment, lead_id } = await at(id, OLD);
  const { data } = (await app.call("POST", "/leads", { leads: [{ email: NEW }] })).body;
  await merge(data[0].id, lead_id);
  const { body } = await app.call("GET", `/campaigns/${id}/leads/${data[0].id}`);
  expect(body).toMatchObject({ id: enrollment, email: NEW, status: "active" });
  const sent = (await app.call("GET", `/sandbox/messages?recipient=${OLD}`)).body.data;
  return { id, enrollment, sent: sent.map((message: { id: string }) => message.id) };
}

test.each([
  ["A hard bounce", "bounce", 1],
  ["A third soft bounce", "soft_bounce", 3],
  ["Word that its owner has left, too,", "left_company", 1],
])("%s of the old mailbox doesn't end the sequence to the new one", async (_what, kind, times) => {
  const { id, enrollment, sent } = await moved();
  for (const message_id of sent.slice(0, times)) {
    expect((await comeBack(app, { kind, message_id })).status).toBeLessThan(300);
  }
  const { messages } = await threadOf(app, enrollment);
  const came = messages.filter(({ direction }: { direction: string }) => direction === "in");
  expect(came).toHaveLength(times);
  const { body } = await app.call("GET", `/campaigns/${id}/leads/${enrollment}`);
  expect(body.status).toBe("active");
  await app.advance(10 * DAY_MS);
  expect(await sentTo(NEW)).toEqual(["Step 4", "Step 5"]);
  const check = await app.call("GET", `/suppressions/check?email=${NEW}`);
  expect(check.body.suppressed).toBe(false);
});

test("a reply from the old mailbox ends it", async () => {
  const { enrollment } = await moved();
  await comeBack(app, { kind: "reply", enrollment_id: enrollment });
  await app.advance(10 * DAY_MS);
  expect(await sentTo(NEW)).toEqual([]);
});
