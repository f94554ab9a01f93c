/** Guarantees of a mailbox between two emails: it is asked for work when there may be some, and not before. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { plus, SECOND_MS } from "#domain/time.ts";
import { sendWorker } from "#engine/send.ts";
import { nextWakeAt } from "#store/mailboxes/accounts.ts";
import { createLive, type LiveApp, START } from "../support.ts";

const STEP = { type: "email", subject: "Hi", body: "Hello" };

let live: LiveApp;
let accountId: string;
beforeEach(async () => {
  live = await createLive();
  accountId = await live.addAccount();
});
afterEach(() => live.app.close());

async function sendOnce(): Promise<number> {
  await live.launch([STEP], "bob@example.com", "eve@example.com");
  const worker = sendWorker(live.env);
  await worker.step(START);
  await worker.settled?.();
  expect(live.mail.taken).toHaveLength(1);
  return nextWakeAt(live.env.db) ?? Number.POSITIVE_INFINITY;
}

test("it is asked again once its gap is over, without a claim to find that out", async () => {
  const next = await sendOnce();
  const { minGapSeconds } = live.account(accountId);
  expect(next).toBeGreaterThanOrEqual(plus(START, minGapSeconds * SECOND_MS));
  await live.run(next - START - 1);
  expect(live.mail.taken).toHaveLength(1);
  await live.run(1);
  expect(live.mail.taken).toHaveLength(2);
});

test("without a least gap it is asked at once", async () => {
  await live.call("PATCH", `/accounts/${accountId}`, { min_gap_seconds: 0 });
  expect(await sendOnce()).toBe(START);
});

test("a campaign that starts meanwhile wakes it", async () => {
  await sendOnce();
  await live.launch([STEP], "zoe@example.com");
  expect(nextWakeAt(live.env.db)).toBeLessThanOrEqual(START);
});
