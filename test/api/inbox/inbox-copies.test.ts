/** Copies of a reply, and emails that are forwarded, through HTTP. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { MINUTE_MS } from "#domain/time.ts";
import { parseMail } from "#mail/parse.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { comeBack, leadOf, threadOf, type Underway, underway } from "../../support/inbox.ts";
import { NOBODY } from "../sandbox/sandbox-support.ts";

const BOB = "bob@client.example";
const CAROL = "carol@client.example";
const DAN = "dan@client.example";

let app: TestApp;
let at: Underway;
let id: string;
beforeEach(async () => {
  app = await createTestApp();
  at = await underway(app);
  id = at.leads[0]?.id ?? "";
  await app.advance(20 * MINUTE_MS);
  await comeBack(app, { kind: "reply", enrollment_id: id, text: "How much is it?" });
});
afterEach(() => app.close());

const reply = (body: object) => app.call("POST", `/inbox/threads/${id}/reply`, body);
const forward = (body: object) => app.call("POST", `/inbox/threads/${id}/forward`, body);
const suppress = (email: string) =>
  app.call("POST", "/suppressions", { email, reason: "unsubscribe" });
async function captured(recipient: string) {
  const { data } = (await app.call("GET", `/sandbox/messages?recipient=${recipient}`)).body;
  const raw = await app.call("GET", `/sandbox/messages/${data[0].id}/raw`);
  return parseMail(new TextEncoder().encode(raw.text));
}
const headerOf = (mail: Awaited<ReturnType<typeof captured>>, name: string) =>
  mail.headers.find((header) => header.name === name)?.value;

describe("copies of a reply", () => {
  test("are named, or not, and each gets one", async () => {
    const cc = [CAROL.toUpperCase(), BOB];
    const { status, body } = await reply({ body: "Ten a month.", cc, bcc: [DAN, CAROL] });
    expect([status, body.to, body.cc, body.bcc]).toEqual([201, BOB, [CAROL], [DAN]]);
    await app.advance(0);
    const mail = await captured(BOB);
    expect(headerOf(mail, "cc")).toBe(CAROL);
    expect(JSON.stringify(mail)).not.toContain(DAN);
    const shown = (await threadOf(app, id)).messages.at(-1);
    expect(shown).toMatchObject({ status: "sent", cc: [CAROL], bcc: [DAN] });
  });

  test.each([
    ["cc.0", { cc: ["not an address"] }],
    ["cc.1", { cc: [CAROL, `x@${"y".repeat(400)}`.slice(0, 321)] }],
    ["bcc.0", { bcc: [DAN] }],
    ["cc", { cc: Array.from({ length: 21 }, (_, n) => `a${n}@client.example`) }],
  ])("are refused by name: %s", async (field, copies) => {
    await suppress(DAN);
    const refused = await reply({ body: "Ten", ...copies });
    expect([refused.status, refused.body.field]).toEqual([422, field]);
    await app.advance(MINUTE_MS);
    expect((await threadOf(app, id)).messages).toHaveLength(2);
  });

  test("aren't sent to somebody who is suppressed before it goes out: nor is the email", async () => {
    const account = (await app.call("GET", "/accounts")).body.data[0];
    const { body } = await reply({ body: "Ten a month.", cc: [CAROL] });
    expect(account.status).toBe("active");
    await suppress(CAROL);
    await app.advance(MINUTE_MS);
    const shown = (await app.call("GET", `/messages/${body.id}`)).body;
    expect(shown).toMatchObject({ status: "failed", response: "suppressed" });
  });

  test("are forgotten with the person who got one", async () => {
    await reply({ body: "Ten a month.", cc: [CAROL] });
    await app.advance(0);
    const made = (await app.call("POST", "/leads", { leads: [{ email: CAROL }] })).body;
    await app.call("DELETE", `/leads/${made.data[0].id}`);
    const shown = (await threadOf(app, id)).messages.at(-1);
    expect([shown.to, shown.cc]).toEqual([BOB, []]);
    expect(app.environments.test.db.raw.query("select * from message_copies").all()).toEqual([]);
  });
});

describe("an email that is forwarded", () => {
  test("says whose it was, and nothing of the lead changes", async () => {
    const before = await leadOf(app, at);
    const { status, body } = await forward({ to: CAROL, body: "Can you take <this>?", cc: [DAN] });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      to: CAROL,
      cc: [DAN],
      subject: "Fwd: Re: Offer",
      lead_id: null,
      thread_id: id,
    });
    await app.advance(0);
    const mail = await captured(CAROL);
    expect(mail.text).toMatch(
      /^Can you take <this>\?\n\n-+ Forwarded message -+\nFrom: .*bob@client\.example>\nDate: .*\nSubject: Re: Offer\nTo: ann@sender\.example\n\nHow much is it\?/,
    );
    expect(mail.html).not.toContain("<this>");
    expect(await leadOf(app, at)).toEqual(before);
  });

  test("its recipient's reply is in the conversation, and is nobody's reply to the sequence", async () => {
    const { body } = await forward({ to: CAROL });
    await app.advance(0);
    const before = [
      await leadOf(app, at),
      (await app.call("GET", `/campaigns/${at.campaign}/stats`)).body,
    ];
    const text = "I am not interested, please unsubscribe me. Kidding, I'll call them.";
    const played = await comeBack(app, {
      ...{ kind: "reply", message_id: body.internet_message_id, text },
    });
    expect(played.status).toBeLessThan(300);
    const thread = await threadOf(app, id);
    expect(thread.messages.at(-1)).toMatchObject({ direction: "in", from: CAROL });
    expect(thread.from_address).toBe(BOB);
    const after = [
      await leadOf(app, at),
      (await app.call("GET", `/campaigns/${at.campaign}/stats`)).body,
    ];
    expect(after).toEqual(before);
    // A reply goes to whose conversation it is.
    expect((await reply({ body: "Ten a month." })).body.to).toBe(BOB);
  });

  test("may be any of the conversation, and of no other", async () => {
    const [first] = (await threadOf(app, id)).messages;
    const sent = await forward({ to: CAROL, message_id: first.id });
    expect(sent.body.text).toContain("Hello");
    expect((await forward({ to: CAROL, message_id: NOBODY })).status).toBe(404);
  });

  test("goes to nobody who is suppressed, and to no nonsense", async () => {
    await suppress(CAROL);
    for (const to of [CAROL, "nobody"]) {
      const refused = await forward({ to });
      expect([refused.status, refused.body.field]).toEqual([422, "to"]);
    }
  });

  test("is emptied when the lead is erased whose words it quotes", async () => {
    const { body } = await forward({ to: CAROL });
    await app.advance(0);
    const { lead_id } = await threadOf(app, id);
    await app.call("DELETE", `/leads/${lead_id}`);
    expect((await app.call("GET", `/messages/${body.id}`)).status).toBe(404);
    const left = JSON.stringify(
      app.environments.test.db.raw.query("select text, html from messages").all(),
    );
    expect(left).not.toContain("How much");
  });
});
