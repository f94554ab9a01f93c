/** A lead who writes to a group's address is known in whichever mailbox of the team it lands. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import { createLive, type LiveApp } from "../support.ts";

const LEAD = "bob@client.example";
const OTHER = "ben@sender.example";

let live: LiveApp;
beforeEach(async () => {
  live = await createLive();
  await live.addAccount("ann@sender.example");
});
afterEach(() => live.app.close());

/** The lead's status after an email came to a mailbox that never wrote to them. */
async function statusAfter(from: string, to: string): Promise<string> {
  const { leads } = await live.launch([{ type: "email", subject: "Offer", body: "Hello" }], LEAD);
  await live.run(HOUR_MS);
  await live.addAccount(OTHER);
  const head = [
    `From: ${from}`,
    `To: ${to}`,
    "Subject: A new subject",
    "Message-ID: <m@c.example>",
  ];
  live.deliver(OTHER, [...head, "", "Thank you, tell me more."].join("\n"));
  await live.run(2 * MINUTE_MS);
  return String(live.lead(leads[0] ?? "").status);
}

describe("an email to a group's address", () => {
  test("is the lead's by their own address", async () => {
    expect(await statusAfter(LEAD, "sales@sender.example")).toBe("replied");
  });

  test("isn't the lead's where the mailbox is addressed itself", async () => {
    expect(await statusAfter(LEAD, OTHER)).not.toBe("replied");
  });

  test("isn't the lead's where a colleague or a stranger writes", async () => {
    expect(await statusAfter("zoe@client.example", "sales@sender.example")).not.toBe("replied");
  });
});
