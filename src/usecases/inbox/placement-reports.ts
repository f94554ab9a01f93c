/**
 * Email that comes back because of a placement test: bounces of test emails, and what a seed mailbox sends.
 * It is nobody's reply, is matched to nobody, and is not shown in the inbox.
 *
 * Somebody who was written to before the address became a seed may still reply and opt out: what names a
 * conversation belongs to it.
 */

import { matchKeys } from "#domain/inbox/match.ts";
import type { Environment } from "#environment.ts";
import { seedByEmail } from "#store/placement/placement-seeds.ts";
import { placementTestById, updateTest } from "#store/placement/placement-tests.ts";
import { lastMessageTo, messageByHeader } from "#store/sending/messages.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import { failTest, recordUndelivered, sumUp } from "#usecases/placement/placement-results.ts";
import type { Arrived } from "./inbox.ts";
import { namesConversation } from "./matching.ts";

/** Messages and recipients that one email may name. */
const NAMED_MAX = 20;

/**
 * True for an email that belongs to placement tests alone; a bounce for good ends its test. Runs inside a
 * commit.
 */
export function takeTestReport(env: Environment, account: AccountRow, arrived: Arrived): boolean {
  const { mail, reading } = arrived;
  const from = mail.from?.address ?? "";
  if (from !== "" && seedByEmail(env.db, account.teamId, from) !== undefined) {
    return !namesConversation(env, account, arrived);
  }
  const message = testMessageOf(env, account, arrived);
  if (message === undefined) {
    return false;
  }
  if (reading.kind === "bounce" && reading.severity !== "soft") {
    recordTestBounce(env, message, reading.status, reading.evidence);
  }
  return true;
}

function testMessageOf(
  env: Environment,
  account: AccountRow,
  { mail, reading }: Arrived,
): MessageRow | undefined {
  const isTest = (message: MessageRow | undefined): message is MessageRow =>
    message?.kind === "placement" && message.teamId === account.teamId;
  const { messageIds } = matchKeys(mail, reading);
  const named = messageIds.slice(0, NAMED_MAX).map((id) => messageByHeader(env.db, id));
  const byId = named.find(isTest);
  if (byId !== undefined || named.some((message) => message !== undefined)) {
    return byId;
  }
  return reading.recipients
    .slice(0, NAMED_MAX)
    .filter((recipient) => seedByEmail(env.db, account.teamId, recipient) !== undefined)
    .map((recipient) => lastMessageTo(env.db, account.id, recipient))
    .find(isTest);
}

/** A full mailbox or an address that is not there says nothing of our email; anything else does. */
function recordTestBounce(
  env: Environment,
  message: MessageRow,
  status: string | null,
  words: string,
): void {
  const test = placementTestById(env.db, message.placementTestId);
  if (test === undefined || test.status !== "looking") {
    return;
  }
  const why = [status, words].filter((part) => part !== null && part !== "").join(" ");
  if (status !== null && /^[45]\.(?:1|2)\.\d/.test(status)) {
    failTest(env, test, `the seed mailbox is full or not there: ${why}`);
  } else {
    recordUndelivered(env, test, `it came back: ${why}`);
    const noted = placementTestById(env.db, test.id) ?? test;
    updateTest(env.db, { ...noted, lookAt: null });
  }
  sumUp(env, new Set([test.runId]));
}
