/** The contract of a lead's campaigns and timeline, through HTTP. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { DAY_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { comeBack, underway } from "../../support/inbox.ts";
import { NOBODY } from "../sandbox/sandbox-support.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const BOB = "bob@client.example";

test("a lead's campaigns say how it stands in each", async () => {
  const at = await underway(app, [BOB]);
  const lead = at.leads[0]?.lead_id ?? "";
  const { status, body } = await app.call("GET", `/leads/${lead}/campaigns`);
  const path = `/campaigns/${at.campaign}/leads/${lead}`;
  const one = (await app.call("GET", path)).body;
  expect([status, body.data]).toEqual([200, [{ ...one, campaign_name: "Spring" }]]);
});

test("a timeline has both sides, what an email was taken for, and who changed what", async () => {
  const at = await underway(app, [BOB]);
  const [{ id, lead_id: lead } = { id: "", lead_id: "" }] = at.leads;
  await app.advance(DAY_MS);
  await comeBack(app, { kind: "unsubscribe", enrollment_id: id });
  await app.call("PATCH", `/leads/${lead}`, { company: "Client" });
  const { status, body } = await app.call("GET", `/leads/${lead}/timeline`);
  const items: { kind: string; at: string; words: string; actor: string }[] = body.data;
  expect(status).toBe(200);
  expect(items.map(({ kind }) => kind).toSorted()).toEqual(
    ["changed", "enrolled", "received", "suppressed", "written"].toSorted(),
  );
  expect(items.map((item) => item.at)).toEqual(
    items
      .map((item) => item.at)
      .toSorted()
      .toReversed(),
  );
  const of = (kind: string) => items.find((item) => item.kind === kind);
  expect(of("received")).toMatchObject({
    message: { kind: "unsubscribe", evidence: expect.any(String) },
  });
  expect(of("written")).toMatchObject({ message: { subject: "Offer", status: "sent" } });
  expect(of("suppressed")?.words).toBe("unsubscribe");
  expect(of("changed")).toMatchObject({
    words: "lead.patch",
    actor: expect.stringMatching(/^key:/),
  });
});

test("of another team's lead, and of nobody, there is nothing", async () => {
  const at = await underway(app, [BOB]);
  const other = await app.addTeam("Other");
  for (const path of ["campaigns", "timeline"]) {
    const key = other.keys.test;
    const theirs = `/leads/${at.leads[0]?.lead_id}/${path}`;
    expect((await app.call("GET", theirs, undefined, { key })).status).toBe(404);
    expect((await app.call("GET", `/leads/${NOBODY}/${path}`)).status).toBe(404);
  }
});
