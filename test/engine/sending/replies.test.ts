/**
 * Manual replies, through every outcome of sending: at most once, nothing silently lost, and nothing of a
 * sequence moved by them.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#domain/time.ts";
import { recover } from "#engine/recover.ts";
import type { SendOutcome } from "#platform/ports/mail.ts";
import { nextWakeAt } from "#store/mailboxes/accounts.ts";
import { messageById } from "#store/sending/messages.ts";
import { createLive, type LiveApp } from "../support.ts";

const OWN = "ann@sender.example";
const TO = "bob@client.example";
const STEPS = [
  { type: "email", subject: "Offer", body: "Hello" },
  { type: "email", body: "Again", wait_days: 2 },
];

let live: LiveApp;
let account: string;
let lead: string;
beforeEach(async () => {
  live = await createLive();
  account = await live.addAccount(OWN);
  const { leads } = await live.launch(STEPS, TO);
  await live.run(HOUR_MS / 4);
  lead = leads[0] ?? "";
  const raw = [
    `From: Bob <${TO}>`,
    "To: ann@sender.example",
    "Subject: Re: Offer",
    "Message-ID: <bob1@client.example>",
    `In-Reply-To: ${live.messages(lead)[0]?.messageId}`,
    "",
    "How much is it?",
  ].join("\n");
  live.deliver(OWN, raw);
  await live.run(2 * MINUTE_MS);
  expect(live.lead(lead).status).toBe("replied");
});
afterEach(() => live.app.close());

const answer = async (body = "Ten a month.") =>
  (await live.call("POST", `/inbox/threads/${lead}/reply`, { body })).body.id as string;
const rowOf = (id: string) => messageById(live.env.db, id);
const usage = () =>
  live.env.db.raw
    .query<{ n: number }, []>(
      "select sum(count) as n from usage where kind in ('account_day', 'account_hour')",
    )
    .get()?.n ?? 0;
const deferred = (code: number, response: string): SendOutcome => ({
  kind: "deferred",
  stage: "rcpt",
  code,
  enhanced: null,
  response,
});
const refused = (stage: "auth" | "rcpt" | "data", code: number, enhanced: string): SendOutcome => ({
  kind: "refused",
  stage,
  code,
  enhanced,
  response: `${code} ${enhanced} no`,
});

test("is taken by the server at once, kept in the Sent folder, and told", async () => {
  const before = live.mail.taken.length;
  const id = await answer();
  await live.run(SECOND_MS);
  expect(live.mail.taken).toHaveLength(before + 1);
  expect(rowOf(id)).toMatchObject({ status: "sent", attempts: 1, kind: "manual" });
  await live.run(MINUTE_MS);
  expect(live.mail.copied.at(-1)?.messageId).toBe(rowOf(id)?.messageId ?? "");
  expect(live.events().filter((type) => type === "email.sent")).toHaveLength(2);
});

test("goes before the emails of a sequence, and takes nobody's gap", async () => {
  const many = Array.from({ length: 5 }, (_, n) => `p${n}@d${n}.example`);
  await live.launch(STEPS, ...many);
  await live.run(MINUTE_MS);
  const before = live.mail.taken.length;
  await answer("one");
  await answer("two");
  await live.run(SECOND_MS);
  expect(live.mail.taken.slice(before).map(({ to }) => to)).toEqual([TO, TO]);
});

describe("when the server", () => {
  test("wants it later, is tried again soon, window or not, and counted once", async () => {
    const before = usage();
    live.mail.outcomes.push(deferred(451, "451 4.3.0 try later"));
    const id = await answer();
    await live.run(SECOND_MS);
    expect(rowOf(id)).toMatchObject({ status: "deferred", attempts: 1, reserved: [] });
    expect(usage()).toBe(before);
    await live.run(10 * MINUTE_MS);
    expect(rowOf(id)).toMatchObject({ status: "sent", attempts: 2 });
    expect(usage()).toBe(before + 2);
  });

  test("wants it later, or says nothing after the body, has no copy in the Sent folder before it is sent", async () => {
    const silent = {
      kind: "unreachable",
      stage: "data",
      reason: "timeout",
      bodySent: true,
    } as const;
    const copies = () => live.mail.copied.map(({ messageId }) => messageId);
    live.mail.outcomes.push(deferred(451, "451 4.3.0 try later"), silent);
    const id = await answer();
    const messageId = rowOf(id)?.messageId ?? "";
    await live.run(3 * MINUTE_MS);
    expect(rowOf(id)).toMatchObject({ status: "deferred", code: 451, copyDueAt: null });
    await live.run(20 * MINUTE_MS);
    expect(rowOf(id)).toMatchObject({ status: "unknown", copyDueAt: null });
    expect(copies()).not.toContain(messageId);
    await live.call("POST", `/messages/${id}/resolve`, { action: "send_again" });
    await live.run(2 * MINUTE_MS);
    expect(rowOf(id)).toMatchObject({ status: "sent", code: 250 });
    expect(copies().filter((one) => one === messageId)).toHaveLength(1);
  });

  test("never wants it, is given up, visibly", async () => {
    live.mail.outcomes.push(...Array.from({ length: 9 }, () => deferred(451, "451 4.3.0 no")));
    const id = await answer();
    await live.days(3);
    expect(rowOf(id)).toMatchObject({ status: "failed", dueAt: null, attempts: 6 });
    expect(live.events()).toContain("email.failed");
  });

  test("says that there is nobody, is a bounce: suppressed, and the lead has bounced", async () => {
    live.mail.outcomes.push(refused("rcpt", 550, "5.1.1"));
    const id = await answer();
    await live.run(SECOND_MS);
    expect(rowOf(id)).toMatchObject({ status: "failed", bouncedAt: expect.any(Number) });
    expect(live.lead(lead).status).toBe("bounced");
    const check = await live.call("GET", `/suppressions/check?email=${TO}`);
    expect(check.body.suppressed).toBe(true);
  });

  test("refuses the login, waits for a person to fix it, and goes out then", async () => {
    live.mail.outcomes.push(refused("auth", 535, "5.7.8"));
    const id = await answer();
    await live.run(SECOND_MS);
    expect(live.account(account).status).toBe("error");
    await live.run(HOUR_MS);
    expect(rowOf(id)?.status).toBe("deferred");
    await live.call("PATCH", `/accounts/${account}`, { smtp: { password: "new" } });
    await live.run(HOUR_MS);
    expect(rowOf(id)?.status).toBe("sent");
  });

  test("refuses the login for days, is given up rather than a surprise", async () => {
    live.mail.outcomes.push(refused("auth", 535, "5.7.8"));
    const id = await answer();
    await live.days(3);
    await live.call("PATCH", `/accounts/${account}`, { smtp: { password: "new" } });
    await live.run(HOUR_MS);
    expect(rowOf(id)?.status).toBe("failed");
  });

  test("breaks off after the body, is in doubt, shown, and never sent again by itself", async () => {
    live.mail.outcomes.push({
      kind: "unreachable",
      stage: "data",
      reason: "reset",
      bodySent: true,
    });
    const id = await answer();
    await live.days(3);
    expect(rowOf(id)?.status).toBe("unknown");
    expect(live.lead(lead)).toMatchObject({ status: "replied", holdReason: null });
    expect(
      live.mail.offered.filter(({ messageId }) => messageId === rowOf(id)?.messageId),
    ).toHaveLength(1);
  });
});

describe("in doubt, a person decides", () => {
  async function unconfirmed() {
    live.mail.outcomes.push({ kind: "unreachable", stage: "data", reason: "cut", bodySent: true });
    const id = await answer();
    await live.run(SECOND_MS);
    expect(rowOf(id)?.status).toBe("unknown");
    return id;
  }
  const decide = (id: string, action: string) =>
    live.call("POST", `/messages/${id}/resolve`, { action });

  test('"treat as sent": it was, when its body was begun, and is not sent again', async () => {
    const id = await unconfirmed();
    const { dataAt } = rowOf(id) ?? {};
    const { status, body } = await decide(id, "treat_as_sent");
    expect([status, body.status]).toEqual([200, "sent"]);
    expect(rowOf(id)).toMatchObject({ status: "sent", sentAt: dataAt });
    const offered = live.mail.offered.length;
    await live.run(HOUR_MS);
    expect(live.mail.offered).toHaveLength(offered);
    expect((await decide(id, "send_again")).status).toBe(409);
  });

  test('"send again": once more, days later too, with its own Message-ID, and counted twice', async () => {
    const id = await unconfirmed();
    const { messageId = "" } = rowOf(id) ?? {};
    const before = usage();
    await live.days(3);
    expect((await decide(id, "send_again")).body.status).toBe("deferred");
    await live.run(SECOND_MS);
    expect(rowOf(id)).toMatchObject({ status: "sent", messageId });
    expect(live.mail.taken.at(-1)?.messageId).toBe(messageId);
    expect(live.mail.offered.filter((one) => one.messageId === messageId)).toHaveLength(2);
    expect(usage()).toBeGreaterThan(before);
  });

  test("or their answer to it does: it was sent, when its body was begun", async () => {
    const id = await unconfirmed();
    const { messageId, dataAt } = rowOf(id) ?? {};
    const words = [`From: Bob <${TO}>`, `In-Reply-To: ${messageId}`, "Subject: Re: Offer"];
    live.deliver(OWN, [...words, "Message-ID: <bob2@client.example>", "", "Too much."].join("\n"));
    await live.run(2 * MINUTE_MS);
    expect(rowOf(id)).toMatchObject({ status: "sent", sentAt: dataAt });
    expect((await decide(id, "send_again")).status).toBe(409);
  });

  test("409: to who must not be written to, from a mailbox that cannot send, about no doubt", async () => {
    const id = await unconfirmed();
    await live.call("POST", "/suppressions", { email: TO, reason: "complaint" });
    expect((await decide(id, "send_again")).status).toBe(409);
    await live.call("DELETE", `/accounts/${account}`);
    expect((await decide(id, "send_again")).status).toBe(409);
    expect(rowOf(id)?.status).toBe("unknown");
    const sent = live.messages(lead)[0]?.id ?? "";
    expect((await decide(sent, "treat_as_sent")).status).toBe(409);
    expect((await decide(lead, "treat_as_sent")).status).toBe(404);
    expect((await decide(id, "forget")).status).toBe(422);
  });
});

describe("between the claim and the body", () => {
  test("a complaint stops it", async () => {
    live.mail.meanwhile = async () => {
      await live.call("POST", "/suppressions", { email: TO, reason: "complaint" });
    };
    const id = await answer();
    await live.run(SECOND_MS);
    expect(rowOf(id)).toMatchObject({ status: "failed", dataAt: null, reserved: [] });
    expect(rowOf(id)?.response).toContain("suppressed");
  });
});

describe("after a crash", () => {
  const crash = (id: string, dataAt: number | null) =>
    live.env.db.raw.run(
      "update messages set status = 'sending', due_at = null, data_at = ? where id = ?",
      [dataAt, Buffer.from(id.replaceAll("-", ""), "hex")],
    );

  test("one that was not begun is sent", async () => {
    live.mail.outcomes.push(deferred(451, "later"));
    const id = await answer();
    await live.run(SECOND_MS);
    crash(id, null);
    expect((await recover(live.env)).retried).toBe(1);
    await live.run(MINUTE_MS);
    expect(rowOf(id)?.status).toBe("sent");
  });

  test.each([
    [{ kind: "found", folder: "Sent" }, "sent"],
    [{ kind: "absent" }, "unknown"],
  ] as const)(
    "one that was begun and is %p is %s, and moves no sequence",
    async (found, status) => {
      const before = live.lead(lead);
      const id = await answer();
      await live.run(SECOND_MS);
      crash(id, live.app.wall.now());
      live.mail.finds.push(found);
      await recover(live.env);
      await live.run(DAY_MS);
      expect(rowOf(id)?.status).toBe(status);
      expect(live.lead(lead)).toMatchObject({
        status: "replied",
        currentStep: before.currentStep,
        holdReason: null,
      });
    },
  );
});

test("deleting the mailbox gives up what waits in it, and says so", async () => {
  await live.addAccount("eve@sender.example");
  live.mail.outcomes.push(deferred(451, "later"));
  const id = await answer();
  await live.run(SECOND_MS);
  expect((await live.call("DELETE", `/accounts/${account}`)).status).toBe(204);
  expect(rowOf(id)).toMatchObject({ status: "failed", response: `${OWN} was deleted` });
});

test("nothing keeps the worker awake once all is sent", async () => {
  await answer();
  await live.run(MINUTE_MS);
  expect(nextWakeAt(live.env.db) ?? Number.POSITIVE_INFINITY).toBeGreaterThan(live.app.wall.now());
});
