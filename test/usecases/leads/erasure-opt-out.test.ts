/**
 * Guarantees of an opt-out after an erasure: whoever asks for no more email is left alone, though nothing is
 * known of them any more but the hash of their address.
 */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { DAY_MS, HOUR_MS } from "#domain/time.ts";
import { createLive, type LiveApp } from "../../engine/support.ts";
import { addLeads, makeCampaign } from "../../support/campaigns.ts";

const EMAIL = "wilhelmine@quiet.example";
/** As anybody can make it. */
const HASH = createHash("sha256").update(EMAIL).digest("hex");
const SENDER = "ann@sender.example";
const STEPS = [
  { type: "email", subject: "Hello", body: "Hello" },
  { type: "email", body: "Again", wait_days: 1 },
];

let live: LiveApp;
/** The email that reached the person: its headers, unfolded. */
let headers: string;
beforeEach(async () => {
  live = await createLive({ publicUrl: "https://outrider.example" });
  await live.addAccount(SENDER);
  const { leads } = await live.launch(STEPS, EMAIL);
  await live.run(HOUR_MS);
  const raw = Buffer.from(live.mail.taken[0]?.raw ?? "").toString("latin1");
  headers = (raw.split("\r\n\r\n")[0] ?? "").replaceAll(/\r\n[ \t]+/g, " ");
  const erased = await live.call("DELETE", `/leads/${live.lead(leads[0] ?? "").leadId}`);
  expect(erased.status).toBe(204);
});
afterEach(() => live.app.close());

const header = (name: string) => new RegExp(`^${name}: *(.*)$`, "im").exec(headers)?.[1] ?? "";

/** The path of the link in the email. */
const link = () =>
  /<https:\/\/outrider\.example(\/u\/[^>]+)>/.exec(header("List-Unsubscribe"))?.[1];

const post = (body: string) =>
  live.app.fetch(
    new Request(`http://localhost${link()}`, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body,
    }),
  );

/** What the team's list says, with the event and what a new import makes of the address. */
async function standing(): Promise<unknown> {
  const { data } = (await live.call("GET", "/suppressions")).body;
  const { id } = await makeCampaign({ ...live.app, call: live.call }, STEPS);
  const leads = [{ email: " Wilhelmine@QUIET.example " }];
  const { body } = await live.call("POST", `/campaigns/${id}/leads`, { leads });
  return {
    listed: data.map(({ email, email_hash, reason }: Record<string, string>) => {
      return { email, email_hash, reason };
    }),
    told: live.events().filter((type) => type === "suppression.created").length,
    imported: body.imported,
    skipped: body.skipped_details.map(({ reason }: { reason: string }) => reason),
  };
}

const OPTED_OUT = {
  listed: [{ email: null, email_hash: HASH, reason: "unsubscribe" }],
  told: 1,
  imported: 0,
  skipped: ["suppressed"],
};

test.each([
  ["the mail client's button", "List-Unsubscribe=One-Click"],
  ["the page's button", ""],
])("%s in an email of before keeps the person out of the next import", async (_name, body) => {
  expect((await post(body)).status).toBe(200);
  expect((await post(body)).status).toBe(200);
  expect(await standing()).toEqual(OPTED_OUT);
});

test("looking at the link changes nothing", async () => {
  const page = await live.app.fetch(new Request(`http://localhost${link()}`));
  expect([page.status, (await page.text()).includes("quiet.example")]).toEqual([200, false]);
  expect(await standing()).toMatchObject({ listed: [], imported: 1 });
});

test("an email to the opt-out address does, and is not kept", async () => {
  const [, subject] = /<mailto:[^?>]+\?subject=([^>]+)>/.exec(header("List-Unsubscribe")) ?? [];
  live.deliver(
    SENDER,
    `From: ${EMAIL}
To: ${SENDER}
Subject: ${decodeURIComponent(subject ?? "")}
Message-ID: <optout@quiet.example>
Date: Mon, 02 Mar 2026 17:00:00 +0000

`,
  );
  await live.run(HOUR_MS);
  expect((await live.call("GET", "/inbox/threads")).body.total).toBe(0);
  expect(await standing()).toEqual(OPTED_OUT);
});

/** Somebody's reply to the email, by its Message-ID. */
const reply = (text: string, from = EMAIL) =>
  live.deliver(
    SENDER,
    `From: ${from}
To: ${SENDER}
Subject: Re: Hello
Message-ID: <answer@quiet.example>
In-Reply-To: ${header("Message-ID")}
Date: Mon, 02 Mar 2026 17:00:00 +0000

${text}
`,
  );

test("a reply that wants no more email does, from another address too", async () => {
  reply("Please unsubscribe me from this list.", "someone@else.example");
  await live.run(HOUR_MS);
  expect(await standing()).toEqual(OPTED_OUT);
});

test("any other reply does not", async () => {
  reply("Thank you, let us talk on Tuesday.");
  await live.run(HOUR_MS);
  expect(await standing()).toMatchObject({ listed: [], imported: 1 });
});

test("a complaint about the email does", async () => {
  live.deliver(
    SENDER,
    `From: feedback@isp.example
To: ${SENDER}
Subject: Abuse report
Message-ID: <fbl@isp.example>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary=b

--b
Content-Type: text/plain

This is an abuse report.

--b
Content-Type: message/feedback-report

Feedback-Type: abuse
User-Agent: isp/1.0
Version: 1

--b
Content-Type: message/rfc822

${headers.replaceAll("\r\n", "\n")}

Hello
--b--
`,
  );
  await live.run(HOUR_MS);
  const [entry] = (await live.call("GET", "/suppressions")).body.data;
  expect(entry).toMatchObject({ email: null, email_hash: HASH, reason: "complaint" });
});

test("one who was claimed again since gets nothing more", async () => {
  const asLive = { ...live.app, call: live.call };
  const { id } = await makeCampaign(asLive, STEPS);
  const [lead] = await addLeads(asLive, id, EMAIL);
  await live.call("POST", `/campaigns/${id}/start`);
  await live.run(HOUR_MS);
  const before = live.mail.taken.length;
  expect(before).toBe(2);
  expect((await post("List-Unsubscribe=One-Click")).status).toBe(200);
  await live.days(3);
  expect(live.mail.taken).toHaveLength(before);
  expect(live.lead(lead.id).status).toBe("unsubscribed");
  expect((await live.call("GET", "/suppressions")).body.data).toMatchObject([{ email_hash: HASH }]);
});

test("the opt-out is lifted like any other", async () => {
  await post("");
  const [{ id }] = (await live.call("GET", "/suppressions")).body.data;
  expect((await live.call("DELETE", `/suppressions/${id}`)).status).toBe(204);
  expect(await standing()).toMatchObject({ listed: [], imported: 1 });
  await live.run(DAY_MS);
});
