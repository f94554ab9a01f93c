/**
 * Guarantees of sequences that are resumed after a refusal: who was never written to is a new lead
 * again, what the first try did counts no more, and a seed mailbox is not written to.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { HOUR_MS } from "#domain/time.ts";
import type { SendOutcome } from "#platform/ports/mail.ts";
import { negativeEventsOf } from "#store/campaigns/health.ts";
import { createLive, type LiveApp } from "../support.ts";

const BOB = "bob@client.example";
const USER_UNKNOWN: SendOutcome = {
  kind: "refused",
  stage: "rcpt",
  code: 550,
  enhanced: "5.1.1",
  response: "550 5.1.1 user unknown",
};

let live: LiveApp;
let enrollment: string;
beforeEach(async () => {
  live = await createLive();
  await live.addAccount();
  live.mail.outcomes.push(USER_UNKNOWN);
  const { leads } = await live.launch([{ type: "email", subject: "Offer", body: "Hello" }], BOB);
  enrollment = leads[0] ?? "";
  await live.run(HOUR_MS);
  expect(live.lead(enrollment).status).toBe("bounced");
});
afterEach(() => live.app.close());

async function letGoOn(): Promise<void> {
  const { body } = await live.call("GET", "/suppressions");
  const { status } = await live.call("DELETE", `/suppressions/${body.data[0].id}?resume=true`);
  expect(status).toBe(204);
}

describe("A lead that was refused at its first email and is resumed", () => {
  test("is a new one, to any mailbox, and counts as what comes of the next try", async () => {
    await letGoOn();
    expect(live.lead(enrollment)).toMatchObject({ status: "pending", accountId: null });

    await live.run(HOUR_MS);
    const [message] = live.messages(enrollment);
    expect(message?.status).toBe("sent");
    expect(negativeEventsOf(live.env.db, message?.id ?? "")).toEqual([]);
  });

  test("is not written to once its address is a seed mailbox", async () => {
    const imap = { host: "imap.seeds.example", password: "secret" };
    const seed = await live.call("POST", "/placement/seeds", { email: BOB, imap });
    expect(seed.status).toBe(201);

    await letGoOn();
    await live.run(HOUR_MS);

    const ended = { status: "suppressed", stopReason: "placement_seed", dueAt: null };
    expect(live.lead(enrollment)).toMatchObject(ended);
    expect(live.mail.taken.filter(({ to }) => to === BOB)).toEqual([]);
  });
});
