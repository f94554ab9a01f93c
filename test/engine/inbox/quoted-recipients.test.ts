/** Somebody who was handed an email of ours answers: the recipient stands in the lines above what they quote. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import { createLive, type LiveApp } from "../support.ts";

const OWN = "ann@sender.example";
const LEAD = "info@client.example";
const ZOE = "Zoe <zoe@else.example>";
const STEPS = [
  { type: "email", subject: "Offer", body: "Hello" },
  { type: "email", body: "Again", wait_days: 2 },
];

let live: LiveApp;
let lead: string;
beforeEach(async () => {
  live = await createLive();
  await live.addAccount(OWN);
  const { leads } = await live.launch(STEPS, LEAD);
  [lead = ""] = leads;
  await live.run(HOUR_MS);
});
afterEach(() => live.app.close());

const quoted = (to: string) =>
  `From: Ann <${OWN}>\nSent: Monday, March 2, 2026 4:00 PM\nTo: ${to}\nSubject: Offer\n\nHello`;

async function statusAfter(from: string, text: string): Promise<string> {
  const head = [`From: ${from}`, `To: ${OWN}`, "Subject: Us", "Message-ID: <m@else.example>"];
  live.deliver(OWN, [...head, "", text].join("\n"));
  await live.run(2 * MINUTE_MS);
  return String(live.lead(lead).status);
}

test("it's the lead's reply", async () => {
  expect(await statusAfter(ZOE, `We could talk.\n\n${quoted(`Client <${LEAD}>`)}`)).toBe("replied");
});

test("it opts the lead out where it says so", async () => {
  const status = await statusAfter(ZOE, `Please unsubscribe us.\n\n${quoted(LEAD)}`);
  expect(status).toBe("unsubscribed");
});

test.each([
  ["another email was answered", ZOE, quoted("Eve <eve@else.example>")],
  ["the lead's stands below the one that was", ZOE, `${quoted(ZOE)}\n\n${quoted(LEAD)}`],
  ["a colleague was shown it", "Ben <ben@sender.example>", quoted(LEAD)],
  [
    "somebody else's email to the lead is quoted",
    ZOE,
    quoted(LEAD).replace(OWN, "eve@else.example"),
  ],
])("it's nobody's where %s", async (_what, from, quote) => {
  expect(await statusAfter(from, `Good.\n\n${quote}`)).toBe("active");
});
