/** An email whose files can't go with it puts its lead on hold, says why, and is sent once that is mended. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import PostalMime from "postal-mime";
import { HOUR_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, addLeads, makeCampaign } from "../../support/campaigns.ts";
import { PIXEL, upload } from "../../support/files.ts";

let app: TestApp;
let step: string;
let campaign: string;
beforeEach(async () => {
  app = await createTestApp();
  await addAccount(app);
  const made = await makeCampaign(app, [{ type: "email", subject: "Hi", body: "Hello" }]);
  campaign = made.id;
  step = `/campaigns/${campaign}/steps/${made.steps[0]}`;
});
afterEach(() => app.close());

const file = async (name: string, content: Uint8Array<ArrayBuffer> | string = "x") =>
  (await upload(app, name, content)).body.id as string;

async function start(): Promise<void> {
  expect((await app.call("POST", `/campaigns/${campaign}/start`)).status).toBe(200);
  await app.advance(24 * HOUR_MS);
}

const leads = async () => (await app.call("GET", `/campaigns/${campaign}/leads`)).body.data;
const sent = async () => (await app.call("GET", "/sandbox/messages")).body.data;

test("a lead's value that names an image shows it, and one that names another file is refused", async () => {
  const [image, offer] = [await file("logo.png", PIXEL), await file("offer.pdf")];
  const body = '<p>Look: <img src="{{ logo }}"></p>';
  expect((await app.call("PATCH", step, { body })).status).toBe(200);
  const [bob] = await addLeads(
    app,
    campaign,
    { email: "bob@client.example", variables: { logo: `cid:${offer}` } } as { email: string },
    { email: "eve@client.example", variables: { logo: `cid:${image}` } } as { email: string },
  );
  const why = "shows offer.pdf, which isn't an image";
  const preview = { position: 1, lead_id: bob.lead_id };
  for (const [path, given] of [
    [`/campaigns/${campaign}/preview`, preview],
    [`${step}/send-test`, { to: "me@team.example", lead_id: bob.lead_id }],
  ] as const) {
    const { status, body: problem } = await app.call("POST", path, given);
    expect([status, problem.field, problem.message]).toEqual([422, "steps.0.body", why]);
  }
  await start();
  const held = (await leads()).find(({ id }: { id: string }) => id === bob.id);
  expect([held.hold_reason, held.hold_detail]).toEqual(["missing_variable", `body: ${why}`]);
  const [only, ...others] = await sent();
  expect(others).toEqual([]);
  const raw = (await app.call("GET", `/sandbox/messages/${only.id}/raw`)).text;
  const { attachments, to } = await PostalMime.parse(raw);
  expect([to?.[0]?.address, attachments.map(({ filename }) => filename)]).toEqual([
    "eve@client.example",
    ["logo.png"],
  ]);
});

test("a file that is gone stops the start, the preview, and the test email; other attachments let leads go on", async () => {
  const id = await file("offer.pdf");
  await app.call("PATCH", step, { attachment_ids: [id] });
  await addLeads(app, campaign, "bob@client.example");
  const { db, commit } = app.environments.test;
  const lose = (state: "kept" | "gone") =>
    commit(() => db.raw.run("update files set state = ?", [state]));
  await lose("gone");
  for (const [path, given] of [
    [`/campaigns/${campaign}/preview`, {}],
    [`${step}/send-test`, { to: "me@team.example" }],
    [`/campaigns/${campaign}/start`, undefined],
  ] as const) {
    const { status, body } = await app.call("POST", path, given);
    expect([status, body.field]).toEqual([422, "steps.0.attachment_ids.0"]);
    expect(body.message).toContain("no such file");
  }
  await lose("kept");
  expect((await app.call("POST", `/campaigns/${campaign}/start`)).status).toBe(200);
  await lose("gone");
  await app.advance(24 * HOUR_MS);
  const [held] = await leads();
  expect([held.hold_reason, held.hold_detail]).toEqual([
    "missing_variable",
    "attachment_ids.0: no such file",
  ]);
  await app.call("PATCH", step, { attachment_ids: [await file("other.pdf")] });
  await app.advance(24 * HOUR_MS);
  expect((await leads())[0]).toMatchObject({ hold_reason: null, status: "completed" });
  expect(await sent()).toHaveLength(1);
});
