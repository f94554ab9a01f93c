/**
 * Guarantees of sending: what every answer of a server does to the message, the lead and the mailbox, and
 * that a stop which comes after the claim still stops the email.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS, plus } from "#domain/time.ts";
import { parseMail } from "#mail/parse.ts";
import type { SendOutcome } from "#platform/ports/mail.ts";
import type { Answer } from "../../support/app.ts";
import { createLive, type LiveApp, START } from "../support.ts";

const TO = "bob@example.com";
const STEP = { type: "email", subject: "Hi", body: "Hello" };

let live: LiveApp;
let accountId: string;
beforeEach(async () => {
  live = await createLive();
  accountId = await live.addAccount();
});
afterEach(() => live.app.close());

const said = (
  kind: "deferred" | "refused",
  stage: "connect" | "auth" | "mail" | "rcpt" | "data",
  code: number,
  enhanced: string | null = null,
  response = `${code} words`,
): SendOutcome => ({ kind, stage, code, enhanced, response });
const cut = (bodySent: boolean): SendOutcome => {
  return { kind: "unreachable", stage: bodySent ? "data" : "connect", reason: "gone", bodySent };
};

/** A campaign of one step to one lead, whose first email ends as told. */
async function sendOne(outcome: SendOutcome, step: object = STEP) {
  live.mail.outcomes.push(outcome);
  const { id, leads } = await live.launch([step], TO);
  await live.run(MINUTE_MS);
  const lead = leads[0] ?? "";
  return { campaign: id, lead, message: () => live.messages(lead)[0] };
}

/** How much of what the one message reserved is still counted. */
function counted(): number {
  const rows = live.env.db.raw.query<{ count: number }, []>("select count from usage").all();
  expect(rows.length).toBeGreaterThan(0);
  return Math.max(...rows.map(({ count }) => count));
}

const suppressed = async (email: string) =>
  (await live.call("GET", `/suppressions/check?email=${email}`)).body.suppressed;

describe("accepted", () => {
  test("the message is sent, the lead goes on, the caps are used", async () => {
    const { lead, message, campaign } = await sendOne({ kind: "accepted", response: "250 ok" });
    expect(message()).toMatchObject({ status: "sent", sentAt: START, code: 250, attempts: 1 });
    expect(live.lead(lead)).toMatchObject({ status: "completed", currentStep: 1, attempts: 0 });
    expect(counted()).toBe(1);
    expect(live.campaign(campaign)).toMatchObject({ sent: 1, completed: 1, status: "completed" });
    expect(live.events()).toContain("email.sent");
  });

  test("a third message in the thread names both before it, and answers the last", async () => {
    const follow = { type: "email", subject: "", body: "Did you see this?", wait_days: 1 };
    await live.launch([STEP, follow, follow], TO);
    await live.days(7);
    const [first, second, third] = await Promise.all(
      live.mail.taken.map(({ raw }) => parseMail(raw)),
    );
    expect(second).toMatchObject({
      inReplyTo: first?.messageId,
      references: [first?.messageId],
      subject: "Re: Hi",
    });
    expect(third).toMatchObject({
      inReplyTo: second?.messageId,
      references: [first?.messageId, second?.messageId],
      subject: "Re: Hi",
    });
  });

  test("ends a row of the mailbox's errors", async () => {
    live.mail.outcomes.push(cut(false), said("deferred", "rcpt", 451));
    await live.launch([STEP], TO);
    await live.run(MINUTE_MS);
    expect(live.account(accountId).consecutiveSmtpErrors).toBe(1);
    await live.days(1);
    expect(live.account(accountId)).toMatchObject({ consecutiveSmtpErrors: 0, lastError: null });
  });
});

describe("this lead again later", () => {
  test.each([
    ["no connection", cut(false), 1],
    ["421 at the greeting", said("deferred", "connect", 421), 1],
    ["a refused greeting", said("refused", "connect", 554), 1],
    ["421 in between", said("deferred", "rcpt", 421, "4.3.2"), 1],
    ["451 at MAIL", said("deferred", "mail", 451), 1],
    ["450 at RCPT", said("deferred", "rcpt", 450, "4.2.0", "450 greylisted"), 0],
    ["452 at RCPT", said("deferred", "rcpt", 452, "4.2.2", "452 mailbox full"), 0],
    ["451 after the body", said("deferred", "data", 451), 0],
  ])("%s: in 5 minutes, give or take a fifth", async (_name, outcome, errors) => {
    const { lead, message, campaign } = await sendOne(outcome);
    expect(message()).toMatchObject({ status: "deferred", attempts: 1, dataAt: null });
    const { dueAt, attempts, status } = live.lead(lead);
    expect({ attempts, status }).toEqual({ attempts: 1, status: "pending" });
    expect(dueAt).toBeGreaterThanOrEqual(START + 4 * MINUTE_MS);
    expect(dueAt).toBeLessThanOrEqual(START + 6 * MINUTE_MS);
    expect(counted()).toBe(0);
    expect(live.account(accountId)).toMatchObject({
      status: "active",
      consecutiveSmtpErrors: errors,
    });
    expect(live.events()).toContain("email.deferred");

    await live.run(HOUR_MS);
    expect(live.messages(lead)).toHaveLength(1);
    expect(message()).toMatchObject({ status: "sent", attempts: 2 });
    expect(live.mail.taken.map(({ to }) => to)).toEqual([TO]);
    expect(new Set(live.mail.offered.map(({ messageId }) => messageId)).size).toBe(1);
    expect(live.campaign(campaign).sent).toBe(1);
  });

  test("after the last try it has failed, and is not tried again", async () => {
    const later = said("deferred", "rcpt", 451);
    live.mail.outcomes.push(...Array.from({ length: 20 }, () => later));
    const { leads, id } = await live.launch([STEP], TO);
    await live.days(2);
    expect(live.mail.offered).toHaveLength(6);
    expect(live.lead(leads[0] ?? "")).toMatchObject({ status: "failed", dueAt: null });
    expect(live.messages(leads[0] ?? "")[0]).toMatchObject({ status: "failed", attempts: 6 });
    expect(counted()).toBe(0);
    expect(live.campaign(id)).toMatchObject({ failed: 1, sent: 0, open: 0, status: "completed" });
    expect(live.account(accountId)).toMatchObject({ status: "active", consecutiveSmtpErrors: 0 });
  });

  test("five broken connections in a row put the mailbox into error; a probe brings it back", async () => {
    live.mail.outcomes.push(...Array.from({ length: 5 }, () => cut(false)));
    const down = { ok: false, error: "no route" };
    live.mail.tests.push({ smtp: down, imap: down });
    await live.launch([STEP], TO, "cy@example.com", "di@example.com");
    while (live.account(accountId).status === "active") {
      await live.run(MINUTE_MS);
    }
    expect(live.account(accountId)).toMatchObject({
      status: "error",
      statusReason: "smtp_errors",
      consecutiveSmtpErrors: 5,
      lastError: "gone",
    });
    expect(live.mail.offered).toHaveLength(5);
    await live.days(2);
    expect(live.account(accountId).status).toBe("active");
    expect(live.mail.taken).toHaveLength(3);
    const told = live.events().filter((type) => type.startsWith("account."));
    expect(told).toEqual(["account.error", "account.recovered"]);
  });
});

describe("the mailbox rests, the lead loses nothing", () => {
  test("in the middle of its tries: the time of the first stays", async () => {
    const { lead } = await sendOne(said("deferred", "rcpt", 451));
    live.mail.outcomes.push(said("deferred", "connect", 421, "4.7.0"));
    await live.run(10 * MINUTE_MS);
    expect(live.mail.offered).toHaveLength(2);
    expect(live.lead(lead)).toMatchObject({ attempts: 1, firstAttemptAt: START });
  });

  test.each([
    ["421 4.7.0", said("deferred", "connect", 421, "4.7.0"), HOUR_MS],
    ["450 4.2.1 with a rate", said("deferred", "rcpt", 450, "4.2.1", "rate limit"), HOUR_MS],
    ["454", said("deferred", "data", 454, "4.7.0"), HOUR_MS],
    ["550 5.4.5", said("refused", "data", 550, "5.4.5", "Daily sending quota exceeded"), HOUR_MS],
    ["554 5.7.0 with a limit", said("refused", "data", 554, "5.7.0", "limit reached"), HOUR_MS],
    ["a login put off", said("deferred", "auth", 454, "4.7.0"), 30 * MINUTE_MS],
    ["a limit told at MAIL", said("refused", "mail", 550, "5.7.1", "limit exceeded"), HOUR_MS],
  ])("%s", async (_name, outcome, ms) => {
    const { lead, message } = await sendOne(outcome);
    expect(live.account(accountId)).toMatchObject({
      status: "active",
      consecutiveSmtpErrors: 0,
      backoffUntil: plus(START, ms),
    });
    expect(live.lead(lead)).toMatchObject({ status: "pending", attempts: 0, firstAttemptAt: null });
    expect(message()).toMatchObject({ status: "deferred", attempts: 0, dataAt: null });
    expect(counted()).toBe(0);
    await live.run(ms - 2 * MINUTE_MS);
    expect(live.mail.offered).toHaveLength(1);
    await live.run(HOUR_MS);
    expect(message()).toMatchObject({ status: "sent", attempts: 1 });
  });
});

describe("a sender that the server turns away", () => {
  test("rests, and counts; five times in a row is an error, until a test finds it let in", async () => {
    const away = said("refused", "mail", 550, "5.7.1", "550 5.7.1 sender not allowed");
    live.mail.outcomes.push(...Array.from({ length: 5 }, () => away));
    const { lead, message } = await sendOne(away);
    expect(live.account(accountId)).toMatchObject({
      status: "active",
      consecutiveSmtpErrors: 1,
      backoffUntil: plus(START, HOUR_MS),
    });
    expect(message()).toMatchObject({ status: "deferred", attempts: 0 });
    const smtp = { ok: false, error: "550 5.7.1 sender not allowed" };
    live.mail.tests.push({ smtp, imap: { ok: true, error: null } });
    while (live.account(accountId).status === "active") {
      await live.run(MINUTE_MS);
    }
    expect(live.account(accountId)).toMatchObject({
      status: "error",
      statusReason: "smtp_errors",
      consecutiveSmtpErrors: 5,
    });
    expect(live.mail.offered).toHaveLength(5);
    expect(live.lead(lead)).toMatchObject({ status: "pending", attempts: 0 });
    live.mail.outcomes = [];
    await live.days(2);
    expect(live.account(accountId).status).toBe("active");
    expect(message()).toMatchObject({ status: "sent", attempts: 1 });
    const told = live.events().filter((type) => type.startsWith("account."));
    expect(told).toEqual(["account.error", "account.recovered"]);
  });
});

describe("refused credentials", () => {
  test("that were replaced meanwhile say nothing of the new ones", async () => {
    live.mail.meanwhile = async () => {
      live.mail.meanwhile = async () => undefined;
      await live.call("PATCH", `/accounts/${accountId}`, { smtp: { password: "new" } });
    };
    const { lead } = await sendOne(said("refused", "auth", 535, "5.7.8", "535 bad password"));
    expect(live.account(accountId)).toMatchObject({ status: "active", statusReason: null });
    expect(live.events()).not.toContain("account.error");
    expect(live.lead(lead)).toMatchObject({ attempts: 0 });
    await live.run(HOUR_MS);
    expect(live.mail.taken.map(({ to }) => to)).toEqual([TO]);
  });

  test("put the mailbox into error at once; the lead loses nothing and nothing is tried", async () => {
    const { lead } = await sendOne(said("refused", "auth", 535, "5.7.8", "535 bad password"));
    expect(live.account(accountId)).toMatchObject({
      status: "error",
      statusReason: "auth",
      lastError: "535 bad password",
      probeAt: null,
    });
    expect(live.lead(lead)).toMatchObject({ status: "pending", attempts: 0 });
    expect(counted()).toBe(0);
    await live.days(1);
    expect(live.mail.offered).toHaveLength(1);

    const path = `/accounts/${accountId}`;
    await live.call("PATCH", path, { smtp: { password: "new" } });
    await live.days(1);
    expect(live.mail.taken.map(({ to }) => to)).toEqual([TO]);
  });
});

describe("the address does not exist", () => {
  test.each([
    ["550 5.1.1", said("refused", "rcpt", 550, "5.1.1")],
    ["551 5.1.6", said("refused", "rcpt", 551, "5.1.6")],
    ["553 5.1.3", said("refused", "rcpt", 553, "5.1.3")],
    ["a bare 550", said("refused", "rcpt", 550, null, "550 No such user here")],
  ])("%s at RCPT is a bounce now, and suppresses", async (_name, outcome) => {
    const { lead, message, campaign } = await sendOne(outcome);
    expect(message()).toMatchObject({ status: "failed", bouncedAt: START });
    expect(live.lead(lead)).toMatchObject({ status: "bounced", stopReason: "bounce_hard" });
    expect(live.campaign(campaign)).toMatchObject({ bounced: 1, sent: 0, status: "completed" });
    expect(counted()).toBe(0);
    expect(await suppressed(TO)).toBe(true);
    expect(live.account(accountId).consecutiveSmtpErrors).toBe(0);
    await live.days(1);
    expect(live.mail.offered).toHaveLength(1);
  });

  test("a full mailbox ends the sequence and suppresses nobody", async () => {
    const { lead } = await sendOne(said("refused", "rcpt", 552, "5.2.2"));
    expect(live.lead(lead).status).toBe("failed");
    expect(await suppressed(TO)).toBe(false);
    expect(live.events()).toContain("email.bounced");
  });
});

describe("this message is not wanted", () => {
  test.each([
    ["554 5.7.1 after the body", said("refused", "data", 554, "5.7.1"), 1],
    ["552 after the body", said("refused", "data", 552, null), 1],
    ["550 5.7.1 at RCPT", said("refused", "rcpt", 550, "5.7.1", "policy"), 1],
    ["550 5.6.0 after the body", said("refused", "data", 550, "5.6.0"), 0],
  ])("%s", async (_name, outcome, errors) => {
    const { lead, message, campaign } = await sendOne(outcome);
    expect(message()).toMatchObject({ status: "failed", sentAt: null, dataAt: null });
    expect(live.lead(lead)).toMatchObject({ status: "failed", stopReason: "refused" });
    expect(live.account(accountId).consecutiveSmtpErrors).toBe(errors);
    expect(counted()).toBe(0);
    expect(live.campaign(campaign)).toMatchObject({ failed: 1, bounced: 0 });
    expect(await suppressed(TO)).toBe(false);
    expect(live.events()).toContain("email.failed");
  });
});

describe("it may have been delivered", () => {
  test("the lead waits for a person, the caps stay used, nothing is sent again", async () => {
    const { lead, message, campaign } = await sendOne(cut(true));
    expect(message()).toMatchObject({ status: "unknown", dataAt: START });
    expect(live.lead(lead)).toMatchObject({ holdReason: "unknown_send", dueAt: null });
    expect(counted()).toBe(1);
    expect(live.campaign(campaign).status).toBe("active");
    await live.days(1);
    expect(live.mail.offered).toHaveLength(1);
  });
});

describe("between the claim and the body", () => {
  const cases: [string, () => Promise<Answer>, object, string][] = [
    [
      "a paused campaign",
      async () => {
        const { body } = await live.call("GET", "/campaigns");
        return live.call("POST", `/campaigns/${body.data[0].id}/pause`);
      },
      { status: "pending", attempts: 0, dueAt: START },
      "deferred",
    ],
    [
      "a suppressed address",
      () => live.call("POST", "/suppressions", { email: TO }),
      { status: "unsubscribed", dueAt: null },
      "cancelled",
    ],
    [
      "a suppressed domain",
      () => live.call("POST", "/suppressions", { email: "@example.com", reason: "manual" }),
      { status: "suppressed", dueAt: null },
      "cancelled",
    ],
    [
      "a paused lead",
      async () => {
        const { body } = await live.call("GET", "/campaigns");
        const leads = `/campaigns/${body.data[0].id}/leads`;
        const { data } = (await live.call("GET", leads)).body;
        return live.call("PATCH", `${leads}/${data[0].id}`, { status: "paused" });
      },
      { status: "paused", attempts: 0, dueAt: null },
      "deferred",
    ],
    [
      "a paused mailbox",
      () => live.call("PATCH", `/accounts/${accountId}`, { status: "paused" }),
      { status: "pending", attempts: 0, dueAt: START },
      "deferred",
    ],
  ];

  test.each(cases)("%s stops the mail", async (_name, stop, lead, status) => {
    live.mail.meanwhile = async () => {
      const { status: code } = await stop();
      expect(code).toBeLessThan(300);
    };
    const made = await sendOne({ kind: "accepted", response: "250 ok" });
    live.mail.meanwhile = async () => undefined;
    await live.run(2 * MINUTE_MS);
    expect(live.mail.taken).toEqual([]);
    expect(live.lead(made.lead)).toMatchObject(lead);
    expect(made.message()).toMatchObject({ status, dataAt: null });
    expect(counted()).toBe(0);
    expect(live.account(accountId)).toMatchObject({ consecutiveSmtpErrors: 0, lastError: null });
  });

  test("a campaign that goes on afterwards sends it once", async () => {
    let campaign = "";
    live.mail.meanwhile = async () => {
      const { body } = await live.call("GET", "/campaigns");
      campaign = body.data[0].id;
      await live.call("POST", `/campaigns/${campaign}/pause`);
    };
    const made = await sendOne({ kind: "accepted", response: "250 ok" });
    live.mail.meanwhile = async () => undefined;
    await live.call("POST", `/campaigns/${campaign}/resume`);
    await live.run(HOUR_MS);
    expect(live.mail.taken.map(({ to }) => to)).toEqual([TO]);
    expect(made.message()).toMatchObject({ status: "sent", attempts: 1 });
  });
});

test("a step that nobody has written yet ends no lead: it waits for its words, and goes on with them", async () => {
  const { id, leads } = await live.launch([STEP], TO);
  const empty = await live.call("POST", `/campaigns/${id}/steps`, { type: "email", wait_days: 0 });
  await live.days(3);
  const lead = leads[0] ?? "";
  expect(live.mail.taken).toHaveLength(1);
  expect(live.lead(lead)).toMatchObject({ status: "active", holdReason: "missing_variable" });

  const path = `/campaigns/${id}/steps/${empty.body.id}`;
  expect((await live.call("PATCH", path, { body: "Still there?" })).status).toBe(200);
  await live.days(3);
  expect(live.mail.taken).toHaveLength(2);
  expect(live.lead(lead)).toMatchObject({ status: "completed", currentStep: 2 });
});
