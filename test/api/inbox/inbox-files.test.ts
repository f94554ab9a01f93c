/** Files that people attach to replies and forwarded emails, through HTTP. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import PostalMime from "postal-mime";
import { MINUTE_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { PIXEL, upload } from "../../support/files.ts";
import { comeBack, threadsOf, underway } from "../../support/inbox.ts";

let app: TestApp;
let id: string;
let leadId: string;
beforeEach(async () => {
  app = await createTestApp();
  const at = await underway(app);
  await comeBack(app, { kind: "reply", enrollment_id: at.leads[0]?.id, text: "How much?" });
  const [thread] = await threadsOf(app);
  id = thread.id;
  leadId = thread.lead_id;
});
afterEach(() => app.close());

const file = async (name: string, content: Uint8Array<ArrayBuffer> | string = "x") =>
  (await upload(app, name, content)).body.id as string;
const write = (what: "reply" | "forward", body: object) =>
  app.call("POST", `/inbox/threads/${id}/${what}`, body);

/** Attachments of the email that was sent last. */
async function delivered() {
  await app.advance(MINUTE_MS);
  const [captured] = (await app.call("GET", "/sandbox/messages")).body.data;
  const raw = (await app.call("GET", `/sandbox/messages/${captured.id}/raw`)).text;
  return (await PostalMime.parse(raw)).attachments;
}

const BODIES = {
  reply: { body: "Here it is." },
  forward: { to: "carol@team.example", body: "Can you take this?" },
} as const;

describe.each(["reply", "forward"] as const)("a %s", (what) => {
  test("carries the files that are attached, and tells of them", async () => {
    const ids = [await file("Preisliste für Bob 🚀.txt", "ten euros"), await file("b.pdf")];
    const { status, body } = await write(what, { ...BODIES[what], attachment_ids: ids });
    expect(status).toBe(201);
    expect(body.attachments).toMatchObject([
      { file_id: ids[0], name: "Preisliste für Bob 🚀.txt", bytes: 9, inline: false },
      { file_id: ids[1], name: "b.pdf" },
    ]);
    const [first, second] = await delivered();
    expect([first?.filename, second?.filename]).toEqual(["Preisliste für Bob 🚀.txt", "b.pdf"]);
    expect(new TextDecoder().decode(first?.content as ArrayBuffer)).toBe("ten euros");
  });

  test("shows an image in its text", async () => {
    const image = await file("logo.png", PIXEL);
    const html = `<p>Look: <img src="cid:${image}" alt=""></p>`;
    const { body } = await write(what, { ...BODIES[what], body: html });
    expect(body.attachments).toMatchObject([{ file_id: image, inline: true }]);
    expect(await delivered()).toMatchObject([{ filename: "logo.png", related: true }]);
  });

  test("is refused with a file that the team does not have, and nothing is sent", async () => {
    const { keys } = await app.addTeam("Other");
    const theirs = (await upload(app, "a.txt", "x", { key: keys.test })).body.id;
    const { status, body } = await write(what, { ...BODIES[what], attachment_ids: [theirs] });
    expect([status, body.field]).toEqual([422, "attachment_ids.0"]);
    const { messages } = (await app.call("GET", `/inbox/threads/${id}`)).body;
    expect(messages.some(({ kind }: { kind: string }) => kind === "manual")).toBe(false);
  });
});

test.each(["reply", "forward"] as const)("a %s needs words beside its images", async (what) => {
  const image = await file("logo.png", PIXEL);
  const body = `<img src="cid:${image}">`;
  const answer = await write(what, { ...BODIES[what], body });
  expect([answer.status, answer.body.field]).toEqual([422, "body"]);
  expect(answer.body.message).toContain("needs words beside the image");
});

test("a file stays until the reply with it is sent", async () => {
  const one = await file("a.pdf");
  await write("reply", { ...BODIES.reply, attachment_ids: [one] });
  const early = await app.call("DELETE", `/files/${one}`);
  expect([early.status, early.body.type]).toEqual([409, "conflict"]);
  expect(early.body.message).toContain("is waiting, being sent, or unconfirmed");
  await app.advance(60 * MINUTE_MS);
  expect((await app.call("DELETE", `/files/${one}`)).status).toBe(204);
});

test("the team's files stay when a lead is erased; that its emails had them is forgotten", async () => {
  const one = await file("prices.pdf");
  await write("reply", { ...BODIES.reply, attachment_ids: [one] });
  await app.advance(60 * MINUTE_MS);
  expect((await app.call("DELETE", `/leads/${leadId}`)).status).toBe(204);
  const rows = app.environments.test.db.raw.query("select 1 from message_files").all();
  expect(rows).toEqual([]);
  expect((await app.call("GET", `/files/${one}`)).status).toBe(200);
});
