/**
 * Guarantees of the workers while the store cannot be written: what servers said is recorded once it can,
 * email that came is read then, and nobody's server is asked without end meanwhile.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { MINUTE_MS, SECOND_MS } from "#domain/time.ts";
import type { MailPort } from "#platform/ports/mail.ts";
import { noteDamage } from "#store/sqlite/damage.ts";
import { createLive, type LiveApp } from "../support.ts";

const STEP = { type: "email", subject: "Hi", body: "Hello" };
/** Between two tries. */
const PAUSE_MS = 5 * SECOND_MS;

let live: LiveApp;
beforeEach(async () => {
  live = await createLive();
});
afterEach(() => live.app.close());

const raw = () => live.env.db.raw;
const shut = () => raw().run("PRAGMA query_only = ON");
const open = () => raw().run("PRAGMA query_only = OFF");

/** The store fails from the moment at which a server has taken an email. */
function shutOnceTaken(): void {
  const send: MailPort["send"] = live.mail.send;
  live.mail.send = async (...parameters) => {
    const outcome = await send(...parameters);
    shut();
    return outcome;
  };
}

test("a database that is found damaged between the claim and the body: the body isn't sent", async () => {
  await live.addAccount();
  await live.launch([STEP], "bob@example.com", "dee@example.com");
  const send: MailPort["send"] = live.mail.send;
  live.mail.send = (...parameters) => {
    noteDamage(raw(), Object.assign(new Error("malformed"), { code: "SQLITE_CORRUPT" }));
    return send(...parameters);
  };
  await live.run(MINUTE_MS);
  expect(live.mail.taken).toEqual([]);
});

describe("an outcome that cannot be recorded", () => {
  test("is kept and recorded later: the email is sent, and once", async () => {
    await live.addAccount();
    const { leads } = await live.launch([STEP], "bob@example.com");
    const [lead = ""] = leads;
    shutOnceTaken();
    await live.run(MINUTE_MS);
    expect(live.messages(lead)[0]?.status).toBe("sending");

    open();
    await live.run(MINUTE_MS);
    expect(live.messages(lead).map(({ status }) => status)).toEqual(["sent"]);
    expect(live.mail.taken).toHaveLength(1);
    expect(live.lead(lead).status).toBe("completed");
  });

  describe("by a bug of ours", () => {
    const STATUSES = "SELECT recipient, status, response FROM messages ORDER BY recipient";
    const plant = (when: string) =>
      raw().run(`CREATE TRIGGER no BEFORE UPDATE ON messages WHEN ${when}
        BEGIN SELECT RAISE(ABORT, 'planted'); END`);
    const isBob = "new.recipient = 'bob@bob.example'";

    test("is in doubt, which a person sees, and its mailbox goes on", async () => {
      await live.addAccount();
      const { leads } = await live.launch([STEP], "bob@bob.example", "dee@dee.example");
      plant(`new.status = 'sent' AND ${isBob}`);
      await live.days(1);
      expect(raw().query(STATUSES).all()).toMatchObject([
        { status: "unknown", response: expect.stringContaining("couldn't be recorded") },
        { status: "sent" },
      ]);
      expect(live.lead(leads[0] ?? "").holdReason).toBe("unknown_send");
      expect(live.mail.taken).toHaveLength(2);
    });

    test("and that cannot even be in doubt holds up no other mailbox", async () => {
      await live.addAccount("ann@sender.example");
      await live.addAccount("ben@sender.example");
      await live.launch([STEP], "bob@bob.example", "dee@dee.example");
      plant(`new.status <> 'sending' AND ${isBob}`);
      await live.days(1);
      expect(raw().query(STATUSES).all()).toMatchObject([
        { status: "sending" },
        { status: "sent" },
      ]);
      expect(live.mail.taken).toHaveLength(2);
    });
  });
});

describe("a body that cannot be noted as begun", () => {
  test("is not sent, is nobody's error, and goes out as soon as it can", async () => {
    const id = await live.addAccount();
    live.mail.meanwhile = async () => {
      shut();
    };
    const { leads } = await live.launch([STEP], "bob@example.com");
    const [lead = ""] = leads;
    await live.run(MINUTE_MS);
    expect(live.mail.taken).toHaveLength(0);
    live.mail.meanwhile = async () => undefined;
    open();
    // No longer than the mailbox's own pause between two emails.
    await live.run(10 * MINUTE_MS);

    expect(live.mail.taken).toHaveLength(1);
    expect(live.messages(lead).map(({ status }) => status)).toContain("sent");
    expect(live.account(id)).toMatchObject({ consecutiveSmtpErrors: 0, lastError: null });
  });
});

describe("a claim that fails", () => {
  const plant = (when: string) =>
    raw().run(`CREATE TRIGGER no BEFORE INSERT ON messages WHEN ${when}
      BEGIN SELECT RAISE(ABORT, 'planted'); END`);

  test("by a bug in one lead puts that lead off, and its mailbox goes on", async () => {
    const id = await live.addAccount();
    const { leads } = await live.launch([STEP], "bob@bob.example", "dee@dee.example");
    plant("new.recipient = 'bob@bob.example'");
    await live.run(30 * MINUTE_MS);
    expect(live.mail.taken.map(({ to }) => to)).toEqual(["dee@dee.example"]);
    expect(live.lead(leads[0] ?? "")).toMatchObject({ status: "pending", attempts: 0 });
    expect(live.account(id)).toMatchObject({ status: "active", lastError: null });

    raw().run("DROP TRIGGER no");
    await live.days(1);
    expect(live.mail.taken.map(({ to }) => to)).toEqual(["dee@dee.example", "bob@bob.example"]);
    expect(leads.map((lead) => live.lead(lead).status)).toEqual(["completed", "completed"]);
  });

  test("by a bug in one mailbox is tried once a minute, and another mailbox sends", async () => {
    const one = await live.addAccount("ann@sender.example");
    await live.addAccount("ben@sender.example");
    const hex = one.replaceAll("-", "").toUpperCase();
    plant(`hex(new.account_id) = '${hex}'`);
    const many = Array.from({ length: 40 }, (_, n) => `lead${n}@c${n}.example`);
    const { leads } = await live.launch([STEP], ...many);
    await live.run(10 * MINUTE_MS);
    const states = leads.map((lead) => live.lead(lead));
    const defer = states.filter(({ dueAt }) => dueAt !== null && dueAt > live.app.wall.now());
    expect(defer.length).toBeGreaterThan(0);
    expect(defer.length).toBeLessThanOrEqual(11);
    // What the other mailbox has claimed was offered to its server.
    const claimed = raw().query("SELECT 1 FROM messages").all();
    expect(claimed.length).toBeGreaterThan(0);
    expect(claimed.length).toBe(live.mail.offered.length);
  });

  test("because the store cannot be written sends nothing, and what is due goes out later", async () => {
    await live.addAccount("ann@sender.example");
    await live.launch([STEP], "bob@bob.example", "dee@dee.example");
    shut();
    await expect(live.run(SECOND_MS)).rejects.toThrow();
    expect(live.mail.offered).toEqual([]);
    open();
    await live.days(1);
    expect(live.mail.taken).toHaveLength(2);
  });
});

describe("mail that cannot be stored", () => {
  const replyTo = (messageId: string | undefined) =>
    [
      "From: Bob <bob@example.com>",
      "To: ann@sender.example",
      "Subject: Re: Hi",
      "Message-ID: <r1@example.com>",
      `In-Reply-To: ${messageId}`,
      "",
      "How much is it?",
      "",
    ].join("\r\n");

  test("is read again once it can, as what it is; its server is not to blame", async () => {
    const id = await live.addAccount();
    const { leads } = await live.launch([STEP], "bob@example.com");
    await live.run(MINUTE_MS);
    live.deliver("ann@sender.example", replyTo(live.messages(leads[0] ?? "")[0]?.messageId));
    shut();
    const before = live.mail.polls.length;
    await live.run(10 * MINUTE_MS);
    const looked = live.mail.polls.length - before;
    open();
    await live.run(10 * MINUTE_MS);

    expect(looked).toBeGreaterThan(0);
    expect(looked).toBeLessThanOrEqual((10 * MINUTE_MS) / PAUSE_MS);
    expect(live.lead(leads[0] ?? "").status).toBe("replied");
    const kinds = raw().query("SELECT kind FROM inbound_mails").all();
    expect(kinds).toEqual([{ kind: "reply" }]);
    expect(live.account(id)).toMatchObject({ status: "active", lastError: null });
  });
});
