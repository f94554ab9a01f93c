/**
 * Test emails on their way out: claimed by the send worker after what people write by hand and before
 * sequences, with the same guarantees. They are counted and held by the mailbox's caps and its least gap,
 * and wait for no window, since no stranger gets them.
 */

import { isUnderWay, testSlot } from "#domain/placement/placement.ts";
import { useOf } from "#domain/sending/budget.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { updateAccount } from "#store/mailboxes/accounts.ts";
import { runById, updateRun } from "#store/placement/placement-runs.ts";
import { seedById } from "#store/placement/placement-seeds.ts";
import { nextTest, updateTest } from "#store/placement/placement-tests.ts";
import { planAccount } from "#store/sending/ledger.ts";
import { bytesOf, filesOfMessage, saveFilesOfMessage } from "#store/sending/message-files.ts";
import {
  BLANK_MESSAGE,
  insertMessage,
  messageOfTest,
  updateMessage,
} from "#store/sending/messages.ts";
import { addUsage, usageOf } from "#store/sending/usage.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { MessageRow, TestMessage } from "#store/tables/messages.ts";
import type { RunRow, SeedRow, TestRow } from "#store/tables/placement.ts";
import { carriedBy } from "#usecases/campaigns/attachments.ts";
import { isSendable } from "#usecases/mailboxes/accounts.ts";
import { mintMessageId } from "#usecases/sending/draft.ts";
import type { Claim } from "#usecases/sending/outgoing.ts";
import { renderTestMail } from "./placement-content.ts";
import { cancelTest, failTest, sumUp } from "./placement-results.ts";

/** Tests that turn out not to be sendable, in one claim. */
const DETOURS_MAX = 50;

/** Claims the next test email of an account that is due. Runs inside a commit. */
export function claimTest(env: Environment, account: AccountRow, now: UnixMs): Claim {
  for (let detours = 0; detours < DETOURS_MAX; detours += 1) {
    const test = nextTest(env.db, account.id);
    const slot = test && slotOf(env, account, test, now);
    if (test === undefined || slot !== now) {
      return { kind: "wait", until: slot };
    }
    const run = runById(env.db, test.runId);
    const seed = seedById(env.db, test.seedId);
    const message = claim(env, account, test, { run, seed }, now);
    if (message !== undefined) {
      const bytes = bytesOf(filesOfMessage(env.db, message.id));
      return { kind: "send", message, account, bytes };
    }
    sumUp(env, new Set([test.runId]));
  }
  return { kind: "wait", until: now };
}

function slotOf(
  env: Environment,
  account: AccountRow,
  { dueAt }: TestRow,
  now: UnixMs,
): UnixMs | undefined {
  const plan = planAccount(account, isSendable(account, env.name));
  const use = useOf(plan, now, (kind, bucket) =>
    usageOf(env.db, { kind, owner: account.id, bucket }),
  );
  return testSlot(plan, use, dueAt ?? now, now);
}

/** The message to send, or undefined when the test has ended without one. */
function claim(
  env: Environment,
  account: AccountRow,
  test: TestRow,
  { run, seed }: { run: RunRow | undefined; seed: SeedRow | undefined },
  now: UnixMs,
): MessageRow | undefined {
  if (run === undefined || !isUnderWay(run.status)) {
    cancelTest(env, test);
    return undefined;
  }
  if (seed === undefined || seed.status === "error") {
    failTest(env, test, seed?.lastError ?? "the seed mailbox was deleted");
    return undefined;
  }
  const message = draft(env, account, test, run, now);
  if (typeof message === "string") {
    failTest(env, test, message);
    return undefined;
  }
  addUsage(env.db, message.reserved, 1, now);
  updateAccount(env.db, { ...account, lastClaimAt: now, wakeAt: null });
  updateTest(env.db, { ...test, dueAt: null });
  if (run.status === "pending") {
    updateRun(env.db, { ...run, status: "running", startedAt: now });
  }
  return message;
}

/** The message as it stands after the claim, or why there can be none. */
function draft(
  env: Environment,
  account: AccountRow,
  test: TestRow,
  run: RunRow,
  now: UnixMs,
): TestMessage | string {
  const { id: owner } = account;
  const plan = planAccount(account, true);
  const { day, hour } = useOf(plan, now, () => 0);
  const claimed = {
    status: "sending",
    claimedAt: now,
    dataAt: null,
    reserved: [
      { kind: "account_day", owner, bucket: day.date },
      { kind: "account_hour", owner, bucket: hour.key },
    ],
  } as const;
  const earlier = messageOfTest(env.db, test.id);
  if (earlier !== undefined) {
    const { reserved, ...rest } = claimed;
    const again: TestMessage = {
      ...{ ...earlier, ...rest, reserved: [...reserved] },
      attempts: earlier.attempts + 1,
    };
    updateMessage(env.db, again);
    return again;
  }
  const id = env.ids.next(now);
  const recipient = test.seedEmail;
  const mail = { content: run.content, account, recipient, messageId: id };
  const content = renderTestMail(env, mail);
  if (content.kind !== "ready") {
    const why = content.kind === "failed" ? content.error : content.missing.join(", ");
    return `the step cannot be rendered: ${why}`;
  }
  const carrying = carriedBy(env, test.teamId, run.content?.attachmentIds ?? [], content.html);
  if (carrying.kind === "fault") {
    return `the step's files cannot be sent: ${carrying.message}`;
  }
  const message: TestMessage = {
    ...BLANK_MESSAGE,
    ...claimed,
    ...{ kind: "placement", attempts: 1 },
    reserved: [...claimed.reserved],
    references: [],
    ...{ id, teamId: test.teamId, placementTestId: test.id, accountId: owner },
    messageId: mintMessageId(env, account),
    sentAs: account.sendAs,
    recipient,
    subject: content.subject,
    text: content.text,
    html: content.html,
  };
  insertMessage(env.db, message);
  saveFilesOfMessage(env.db, message, carrying.carried);
  return message;
}
