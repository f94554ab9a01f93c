/** Whom events are about: an activity list names people, and no list names who was erased. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { comeBack, underway } from "../../support/inbox.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

test("events about a lead name the lead, until the person is erased", async () => {
  const people = ["ida", "una", "cora", "ota"].map((name) => `${name}@client.example`);
  const at = await underway(app, people);
  const kinds = ["interested", "unsubscribe", "complaint", "auto_reply"];
  for (const [index, kind] of kinds.entries()) {
    await comeBack(app, { kind, enrollment_id: at.leads[index]?.id });
  }
  const named = async (type: string) =>
    (await app.call("GET", `/events?type=${type}&limit=100`)).body.data.map(
      ({ data }: { data: { email: string | null } }) => data.email,
    );
  expect(await named("lead.interested")).toEqual([people[0]]);
  expect((await named("lead.unsubscribed")).toSorted()).toEqual([people[2], people[1]]);
  expect(await named("complaint.received")).toEqual([people[2]]);
  expect(await named("reply.auto")).toEqual([people[3]]);
  await app.call("DELETE", `/leads/${at.leads[0]?.lead_id}`);
  expect(await named("lead.interested")).toEqual([null]);
});
