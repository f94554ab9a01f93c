/** What the inbox knows beside the email itself: the team's own words, and where its writer lives. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import { inboundOf } from "#store/inbox/inbound.ts";
import { createLive, type LiveApp } from "../support.ts";

const OWN = "ann@sender.example";
const TO = "bob@client.example";
const STEPS = [{ type: "email", subject: "Offer", body: "Hello" }];

let live: LiveApp;
beforeEach(async () => {
  live = await createLive();
  await live.addAccount(OWN);
});
afterEach(() => live.app.close());

async function written(change: object = {}) {
  const { id, leads } = await live.launch(STEPS, TO);
  await live.call("PATCH", `/campaigns/${id}`, change);
  await live.run(HOUR_MS);
  const [lead = ""] = leads;
  return { lead, leadId: live.lead(lead).leadId, messageId: live.messages(lead)[0]?.messageId };
}

async function receive(answers: string | undefined, text: string, headers: string[] = []) {
  const lines = [
    `From: Bob <${TO}>`,
    `To: ${OWN}`,
    "Subject: Re: Offer",
    `Message-ID: <${crypto.randomUUID()}@client.example>`,
    `In-Reply-To: ${answers}`,
    ...headers,
    "",
    text,
  ];
  live.deliver(OWN, lines.join("\n"));
  await live.run(2 * MINUTE_MS);
}

const readingOf = (lead: string) => inboundOf(live.app.environments.live.db, lead)[0]?.reading;

describe("a team's own words", () => {
  test("decide before the built-in ones, for its emails from then on", async () => {
    const { lead, messageId } = await written({ stop_on_reply: false });
    await receive(messageId, "Let us put this on the wiggle board.");
    expect(live.lead(lead).interest).toBeNull();
    const interest_words = { meeting: ["wiggle board"] };
    expect((await live.call("PATCH", "/team", { interest_words })).status).toBe(200);
    await receive(messageId, "Let us put this on the Wiggle Board.");
    expect(live.lead(lead).interest).toBe("meeting");
  });
});

describe("a relative day of return is one of", () => {
  const AUTO = "Auto-Submitted: auto-replied";
  const night = (date: string) => [AUTO, `Date: ${date}`];
  const utc = "Mon, 02 Mar 2026 16:05:00 +0000";

  test("the lead's own zone", async () => {
    const { lead, leadId, messageId } = await written();
    await live.call("PATCH", `/leads/${leadId}`, { timezone: "Pacific/Kiritimati" });
    await receive(messageId, "I am back tomorrow.", night(utc));
    expect(readingOf(lead)?.returnsOn).toBe("2026-03-04");
  });

  test("the zone in which the email was written, where the lead has none", async () => {
    const { lead, messageId } = await written();
    await receive(messageId, "I am back tomorrow.", night("Tue, 03 Mar 2026 01:05:00 +0900"));
    expect(readingOf(lead)?.returnsOn).toBe("2026-03-04");
  });

  test("the campaign's zone, where the email's is a server's", async () => {
    const send_window = {
      timezone: "Pacific/Kiritimati",
      days: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
      start_hour: 0,
      end_hour: 24,
    };
    const { lead, messageId } = await written({ send_window });
    await receive(messageId, "I am back tomorrow.", night(utc));
    expect(readingOf(lead)?.returnsOn).toBe("2026-03-04");
  });
});
