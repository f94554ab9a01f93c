/**
 * Guarantees of `engine/recover.ts`: whatever a crash cut off gets a state that is true, nothing is sent
 * twice by itself, and a person's word settles what nobody can know.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import { recover } from "#engine/recover.ts";
import type { Environment } from "#environment.ts";
import { createVault } from "#platform/secrets/crypto.ts";
import { accountsToWake } from "#store/mailboxes/accounts.ts";
import { claimNext } from "#usecases/delivery/claim.ts";
import { beginBody } from "#usecases/delivery/settle.ts";
import { patchAccount } from "#usecases/mailboxes/accounts.ts";
import { testAccount } from "#usecases/sending/account-test.ts";
import { recordBounce } from "#usecases/sending/bounces.ts";
import { createLive, type LiveApp, START } from "../support.ts";

const STEPS = [
  { type: "email", subject: "Hi", body: "Hello" },
  { type: "email", body: "Again", wait_days: 1 },
];
const TO = "bob@example.com";

let live: LiveApp;
let accountId: string;
beforeEach(async () => {
  live = await createLive();
  accountId = await live.addAccount();
});
afterEach(() => live.app.close());

/** A lead whose email was claimed when the program died; `begun`: its body was about to be handed over. */
async function crashed(begun: boolean) {
  const { id, leads } = await live.launch(STEPS, TO);
  const { env } = live;
  const lead = leads[0] ?? "";
  const claim = await env.commit(() => claimNext(env, accountId, env.clock.now()));
  if (claim.kind !== "send") {
    throw new Error("nothing was claimed");
  }
  if (begun) {
    expect(await env.commit(() => beginBody(env, claim.message.id))).toBeUndefined();
  }
  return { id, lead, path: `/campaigns/${id}/leads/${lead}`, message: claim.message };
}

describe("an email whose body was not begun", () => {
  test("is tried again, and sent once", async () => {
    const { lead } = await crashed(false);
    live.app.wall.move(HOUR_MS / 4);
    expect(await recover(live.env)).toMatchObject({ retried: 1, found: 0, unknown: 0 });
    expect(live.messages(lead)[0]).toMatchObject({ status: "deferred", attempts: 0 });
    expect(live.lead(lead)).toMatchObject({ status: "pending", attempts: 0 });
    await live.run(HOUR_MS);
    expect(live.mail.taken.map(({ to }) => to)).toEqual([TO]);
    expect(live.messages(lead)).toHaveLength(1);
    expect(live.messages(lead)[0]).toMatchObject({ status: "sent", attempts: 1 });
  });

  test("to an address that has been suppressed since is given up", async () => {
    const { lead } = await crashed(false);
    await live.call("POST", "/suppressions", { email: TO });
    await recover(live.env);
    expect(live.messages(lead)[0]?.status).toBe("cancelled");
    await live.days(1);
    expect(live.mail.offered).toEqual([]);
  });
});

describe("an email whose body was begun", () => {
  test("and that stands in the Sent folder was sent when it was begun", async () => {
    const { lead, id } = await crashed(true);
    live.app.wall.move(HOUR_MS / 4);
    live.mail.finds.push({ kind: "found", folder: "Sent" });
    expect(await recover(live.env)).toMatchObject({ retried: 0, found: 1, unknown: 0 });
    expect(live.messages(lead)[0]).toMatchObject({
      status: "sent",
      sentAt: START,
      response: "found in Sent",
    });
    expect(live.lead(lead)).toMatchObject({
      status: "active",
      currentStep: 1,
      lastSentAt: START,
      dueAt: START + DAY_MS,
    });
    expect(live.campaign(id).sent).toBe(1);
    await live.run(HOUR_MS);
    expect(live.mail.offered).toEqual([]);
  });

  test.each([
    ["is not in the Sent folder", { kind: "absent" } as const, "not in the Sent folder"],
    [
      "cannot be looked for",
      { kind: "uncheckable", reason: "no IMAP settings" } as const,
      "no IMAP settings",
    ],
  ])("and that %s is in doubt: held, shown, not sent again", async (_name, found, words) => {
    const { lead, id, path } = await crashed(true);
    live.mail.finds.push(found);
    expect(await recover(live.env)).toMatchObject({ retried: 0, found: 0, unknown: 1 });
    expect(live.messages(lead)[0]?.status).toBe("unknown");
    const { body } = await live.call("GET", path);
    expect(body).toMatchObject({ status: "pending", hold_reason: "unknown_send" });
    expect(live.lead(lead).holdDetail).toContain(words);
    expect(live.campaign(id).sent).toBe(0);
    await live.days(1);
    expect(live.mail.offered).toEqual([]);
  });

  test("by a mailbox that is gone is in doubt too", async () => {
    const { lead } = await crashed(true);
    await live.env.commit(() => {
      live.env.db.raw.run("DELETE FROM accounts");
    });
    expect((await recover(live.env)).unknown).toBe(1);
    expect(live.messages(lead)[0]?.status).toBe("unknown");
  });
});

describe("recovery", () => {
  test("of nothing is nothing, and a second one changes nothing", async () => {
    expect(await recover(live.env)).toMatchObject({ retried: 0, found: 0, unknown: 0 });
    await crashed(true);
    expect((await recover(live.env)).unknown).toBe(1);
    expect(await recover(live.env)).toMatchObject({ retried: 0, found: 0, unknown: 0 });
  });

  test("lets the mailbox look for work again", async () => {
    await crashed(false);
    expect(accountsToWake(live.env.db, live.env.clock.now(), 10)).toEqual([]);
    await recover(live.env);
    const woken = accountsToWake(live.env.db, live.env.clock.now(), 10);
    expect(woken.map(({ id }) => id)).toEqual([accountId]);
  });
});

describe("a master key that has changed", () => {
  const withOtherKey = (): Environment => {
    return { ...live.env, vault: createVault(new Uint8Array(32).fill(9)) };
  };

  test("puts each account into error by itself, is said, and holds up nothing", async () => {
    const { lead } = await crashed(true);
    const other = withOtherKey();
    expect(await recover(other)).toEqual({ retried: 0, found: 0, unknown: 1, unreadable: 1 });
    expect(live.account(accountId)).toMatchObject({
      status: "error",
      statusReason: "auth",
      lastError: expect.stringContaining("master key"),
      pollAt: null,
      probeAt: null,
    });
    expect(live.lead(lead).holdDetail).toContain("master key");
    expect((await recover(other)).unreadable).toBe(1);
    expect(live.events().filter((type) => type === "account.error")).toHaveLength(1);
  });

  test("credentials that are set again are good, and say so when they are tried", async () => {
    const other = withOtherKey();
    await recover(other);
    const caller = { teamId: live.app.team.id, actor: "operator", scopes: ["admin"] };
    expect(
      (await testAccount(other, caller, accountId, { send: false })).examination,
    ).toMatchObject({
      smtp: { ok: false, login: true },
      imap: { ok: false, login: true },
    });
    const smtp = { password: "again" };
    await other.commit(() => patchAccount(other, caller, accountId, { smtp, imap: smtp }));
    expect((await testAccount(other, caller, accountId, { send: false })).account.status).toBe(
      "active",
    );
    expect(await recover(other)).toMatchObject({ unreadable: 0 });
  });

  test("with the right one back the account is tried again, and works", async () => {
    await recover(withOtherKey());
    expect((await recover(live.env)).unreadable).toBe(0);
    await live.run(MINUTE_MS);
    expect(live.account(accountId)).toMatchObject({ status: "active", lastError: null });
  });
});

describe("a person decides", () => {
  test('"treat as sent": the sequence goes on from there, the email is not sent again', async () => {
    const { lead, id, path } = await crashed(true);
    await recover(live.env);
    const { status, body } = await live.call("POST", `${path}/resolve`, {
      action: "treat_as_sent",
    });
    expect([status, body.hold_reason, body.current_step]).toEqual([200, null, 1]);
    expect(live.messages(lead)[0]).toMatchObject({ status: "sent", sentAt: START });
    expect(live.campaign(id)).toMatchObject({ sent: 1, status: "active" });
    await live.days(2);
    expect(live.mail.taken).toHaveLength(1);
    expect(live.messages(lead).map(({ stepPosition }) => stepPosition)).toEqual([1, 2]);
    expect(live.messages(lead)[1]?.inReplyTo).toBe(live.messages(lead)[0]?.messageId ?? "");
    expect(live.lead(lead).status).toBe("completed");
  });

  test('"send again": the same email goes out once more, with its own Message-ID', async () => {
    const { lead, id, path, message } = await crashed(true);
    await recover(live.env);
    const { status } = await live.call("POST", `${path}/resolve`, { action: "send_again" });
    expect(status).toBe(200);
    await live.run(HOUR_MS);
    expect(live.mail.taken.map(({ messageId }) => messageId)).toEqual([message.messageId]);
    expect(live.messages(lead)).toHaveLength(1);
    expect(live.campaign(id)).toMatchObject({ sent: 1, status: "active" });
  });

  test("through the message as through its lead", async () => {
    const { id, message } = await crashed(true);
    await recover(live.env);
    const path = `/messages/${message.id}/resolve`;
    const { status, body } = await live.call("POST", path, { action: "treat_as_sent" });
    expect([status, body.status]).toEqual([200, "sent"]);
    expect(live.campaign(id).sent).toBe(1);
    expect((await live.call("POST", path, { action: "treat_as_sent" })).status).toBe(409);
  });

  test('"send again" keeps mailbox and Message-ID, though it fails and others are free', async () => {
    const { lead, path, message } = await crashed(true);
    await recover(live.env);
    await live.addAccount("zoe@sender.example");
    await live.call("POST", `${path}/resolve`, { action: "send_again" });
    const busy = { kind: "deferred", stage: "rcpt", code: 451, enhanced: null } as const;
    live.mail.outcomes.push({ ...busy, response: "451 later" });
    for (let minutes = 0; minutes < 120 && live.mail.offered.length === 0; minutes += 1) {
      await live.run(MINUTE_MS);
    }
    await live.call("PATCH", `/accounts/${accountId}`, { status: "paused" });
    await live.run(3 * HOUR_MS);
    expect(live.mail.offered).toHaveLength(1);
    await live.call("PATCH", `/accounts/${accountId}`, { status: "active" });
    await live.days(1);
    await live.run(HOUR_MS);
    const again = { messageId: message.messageId, accountId, status: "sent" } as const;
    expect(live.messages(lead)[0]).toMatchObject(again);
    const tries = live.mail.offered.slice(0, 2).map(({ messageId }) => messageId);
    expect(tries).toEqual([message.messageId, message.messageId]);
  });

  test('"send again", and an answer to the first before the second has gone: nobody is written to', async () => {
    const { lead, path, message } = await crashed(true);
    await recover(live.env);
    await live.call("POST", `${path}/resolve`, { action: "send_again" });
    const busy = { kind: "deferred", stage: "rcpt", code: 451, enhanced: null } as const;
    live.mail.outcomes.push({ ...busy, response: "451 later" });
    while (live.mail.offered.length === 0) {
      await live.run(MINUTE_MS);
    }
    expect(live.messages(lead)[0]).toMatchObject({ status: "deferred", dataAt: null });
    live.deliver(
      "ann@sender.example",
      `From: ${TO}\nIn-Reply-To: ${message.messageId}\n\nYes, do.`,
    );
    await live.days(2);
    expect(live.lead(lead)).toMatchObject({ status: "replied" });
    expect(live.mail.taken).toEqual([]);
    expect(live.messages(lead).map(({ status }) => status)).toEqual(["cancelled"]);
  });

  test('"send again" of one that came back: it goes out, and stays counted as it was', async () => {
    const { lead, id, path, message } = await crashed(true);
    await recover(live.env);
    const hard = { severity: "hard", status: "5.1.1", words: "no such user" } as const;
    const [unconfirmed = message] = live.messages(lead);
    await live.env.commit(() => recordBounce(live.env, unconfirmed, hard));
    const [suppression] = (await live.call("GET", "/suppressions")).body.data;
    await live.call("DELETE", `/suppressions/${suppression.id}?resume=true`);
    expect((await live.call("POST", `${path}/resolve`, { action: "send_again" })).status).toBe(200);
    await live.run(HOUR_MS);
    expect(live.mail.taken.map(({ messageId }) => messageId)).toEqual([message.messageId]);
    expect(live.messages(lead)[0]).toMatchObject({ status: "sent", bouncedAt: START });
    const { steps, bounced } = (await live.call("GET", `/campaigns/${id}/stats`)).body;
    expect([bounced, steps[0].bounced]).toEqual([0, 1]);
  });

  test("about an email that is not in doubt: 409", async () => {
    const { leads, id } = await live.launch(STEPS, TO);
    const path = `/campaigns/${id}/leads/${leads[0]}/resolve`;
    expect((await live.call("POST", path, { action: "send_again" })).status).toBe(409);
  });

  test("its campaign does not complete before, and does after", async () => {
    const { id, path } = await crashed(true);
    await recover(live.env);
    expect(live.campaign(id)).toMatchObject({ status: "active", open: 1 });
    await live.call("POST", `${path}/resolve`, { action: "send_again" });
    expect(live.campaign(id)).toMatchObject({ status: "active", open: 1 });
    await live.run(14 * 24 * HOUR_MS);
    expect(live.campaign(id)).toMatchObject({ status: "completed", open: 0 });
  });
});
