/** Guarantees of `sandbox/mail.ts`: what is sent is captured, and what comes back can be read once, in order. */

import { describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#domain/time.ts";
import { parseMail } from "#mail/parse.ts";
import { POLL_MAILS_MAX } from "#sandbox/mail.ts";
import { listSandboxMessages } from "#store/sandbox/sandbox.ts";
import { createSandbox, cursorOf, mailbox, mailsOf, message, START, TEAM } from "./support.ts";

const captured = ({ db }: ReturnType<typeof createSandbox>) =>
  listSandboxMessages(db, TEAM, { limit: 100, offset: 0 }).rows;

describe("send", () => {
  test("captures the message as it was handed over, after asking", async () => {
    const sandbox = createSandbox();
    const envelope = message("Ada@example.com", { subject: "=?utf-8?Q?Gr=C3=BC=C3=9Fe?=" });
    const seen: number[] = [];
    const outcome = await sandbox.port.send(sandbox.ann, envelope, async () => {
      seen.push(captured(sandbox).length);
    });
    expect(outcome.kind).toBe("accepted");
    expect(seen).toEqual([0]);
    expect(captured(sandbox)).toMatchObject([
      {
        accountId: sandbox.ann.accountId,
        messageId: envelope.messageId,
        sender: "ann@acme.test",
        recipient: "ada@example.com",
        subject: "Grüße",
        verdict: "delivered",
        sentAt: START,
      },
    ]);
    expect(Buffer.from(captured(sandbox)[0]?.raw ?? [])).toEqual(Buffer.from(envelope.raw));
  });

  test("keeps nothing when asking fails, and says that nothing was handed over", async () => {
    const sandbox = createSandbox();
    const outcome = await sandbox.port.send(sandbox.ann, message("reply@sandbox.test"), () =>
      Promise.reject(new Error("store is gone")),
    );
    expect(outcome).toMatchObject({ kind: "unreachable", bodySent: false });
    expect(captured(sandbox)).toEqual([]);
  });

  test("captures the same Message-ID twice, so that a double send shows", async () => {
    const sandbox = createSandbox();
    const envelope = message("ada@example.com");
    await sandbox.send(envelope);
    await sandbox.send(envelope);
    expect(captured(sandbox)).toHaveLength(2);
  });

  test.each(["smtp421", "smtp550", "timeout"])("%s@ is never asked for the body", async (name) => {
    const sandbox = createSandbox();
    let asked = false;
    const outcome = await sandbox.port.send(
      sandbox.ann,
      message(`${name}@sandbox.test`),
      async () => {
        asked = true;
      },
    );
    expect(outcome.kind).not.toBe("accepted");
    expect([asked, captured(sandbox).length]).toEqual([false, 0]);
  });

  test("a cut connection leaves the message taken or lost, and find tells which", async () => {
    const sandbox = createSandbox({ faults: { cut: 1 } });
    const verdicts = new Set<string>();
    for (let index = 0; index < 20; index += 1) {
      const envelope = message(`p${index}@example.com`);
      expect(await sandbox.send(envelope)).toMatchObject({ kind: "unreachable", bodySent: true });
      const isCaptured = captured(sandbox).some((row) => row.messageId === envelope.messageId);
      const found = await sandbox.port.find(sandbox.ann, envelope.messageId);
      expect(found.kind).toBe(isCaptured ? "found" : "absent");
      verdicts.add(found.kind);
    }
    expect(verdicts).toEqual(new Set(["found", "absent"]));
  });

  test("an account that is gone reaches nobody", async () => {
    const sandbox = createSandbox();
    const gone = mailbox("019cae10-0000-7000-8000-0000000000ff", "x@acme.test");
    expect(await sandbox.send(message("ada@example.com"), gone)).toMatchObject({
      kind: "unreachable",
      bodySent: false,
    });
    expect(await sandbox.port.poll(gone, "")).toMatchObject({ kind: "unreachable", login: false });
  });

  test("a colleague's account gets the email itself", async () => {
    const sandbox = createSandbox({ rates: { hard_bounce: 1 } });
    const cursor = cursorOf(await sandbox.port.poll(sandbox.ben, ""));
    const envelope = message("ben@acme.test");
    await sandbox.send(envelope);
    const [mail] = mailsOf(await sandbox.port.poll(sandbox.ben, cursor));
    expect(Buffer.from(mail?.raw ?? [])).toEqual(Buffer.from(envelope.raw));
  });
});

describe("poll", () => {
  test("an empty cursor reads from now on", async () => {
    const sandbox = createSandbox();
    await sandbox.send(message("bounce@sandbox.test"));
    sandbox.clock.move(HOUR_MS);
    const first = await sandbox.port.poll(sandbox.ann, "");
    expect(mailsOf(first)).toEqual([]);
    expect(mailsOf(await sandbox.port.poll(sandbox.ann, cursorOf(first)))).toEqual([]);
    await sandbox.send(message("bounce@sandbox.test"));
    sandbox.clock.move(HOUR_MS);
    expect(mailsOf(await sandbox.port.poll(sandbox.ann, cursorOf(first)))).toHaveLength(1);
  });

  test("mail is there from its instant on, in the order of arrival, and not in another's mailbox", async () => {
    const sandbox = createSandbox();
    const start = cursorOf(await sandbox.port.poll(sandbox.ann, ""));
    const bens = cursorOf(await sandbox.port.poll(sandbox.ben, ""));
    for (const name of ["complaint", "reply", "bounce", "ooo"]) {
      await sandbox.send(message(`${name}@sandbox.test`));
    }
    expect(mailsOf(await sandbox.port.poll(sandbox.ann, start))).toEqual([]);
    sandbox.clock.move(5 * SECOND_MS - 1);
    expect(mailsOf(await sandbox.port.poll(sandbox.ann, start))).toEqual([]);
    sandbox.clock.move(1);
    expect(mailsOf(await sandbox.port.poll(sandbox.ann, start))).toHaveLength(1);
    sandbox.clock.move(HOUR_MS);
    const read = await sandbox.port.poll(sandbox.ann, start);
    const after = mailsOf(read).map(({ receivedAt }) => receivedAt - START);
    expect(after).toEqual([5 * SECOND_MS, 10 * SECOND_MS, 5 * MINUTE_MS, 10 * MINUTE_MS]);
    expect(mailsOf(await sandbox.port.poll(sandbox.ann, cursorOf(read)))).toEqual([]);
    expect(mailsOf(await sandbox.port.poll(sandbox.ben, bens))).toEqual([]);
  });

  test("the same cursor gives the same emails under the same names; batches have a bound", async () => {
    const sandbox = createSandbox();
    let cursor = cursorOf(await sandbox.port.poll(sandbox.ann, ""));
    const count = POLL_MAILS_MAX * 2 + 3;
    for (let index = 0; index < count; index += 1) {
      await sandbox.send(message(`bounce+${index}@sandbox.test`));
    }
    sandbox.clock.move(DAY_MS);
    const sizes: number[] = [];
    const uids = new Set<string>();
    for (let more = true; more && sizes.length < 5; ) {
      const read = await sandbox.port.poll(sandbox.ann, cursor);
      const again = await sandbox.port.poll(sandbox.ann, cursor);
      expect([mailsOf(again), cursorOf(again)]).toEqual([mailsOf(read), cursorOf(read)]);
      sizes.push(mailsOf(read).length);
      for (const { uid } of mailsOf(read)) {
        uids.add(uid);
      }
      cursor = cursorOf(read);
      more = read.kind === "read" && read.more;
    }
    expect(sizes).toEqual([POLL_MAILS_MAX, POLL_MAILS_MAX, 3]);
    expect(uids.size).toBe(count);
  });

  test("nothing that is put on its way later can arrive behind a cursor", async () => {
    const sandbox = createSandbox();
    const start = cursorOf(await sandbox.port.poll(sandbox.ben, ""));
    await sandbox.send(message("ben@acme.test"));
    const read = await sandbox.port.poll(sandbox.ben, start);
    await sandbox.send(message("ben@acme.test"));
    expect(mailsOf(await sandbox.port.poll(sandbox.ben, cursorOf(read)))).toHaveLength(1);
  });

  test("a mailbox that cannot be read says so", async () => {
    const sandbox = createSandbox({ faults: { imap: 1 } });
    expect(await sandbox.port.poll(sandbox.ann, "")).toMatchObject({
      kind: "unreachable",
      login: false,
    });
  });
});

describe("an account whose login is refused", () => {
  test("fails in each verb as such, and only it", async () => {
    const sandbox = createSandbox();
    sandbox.set({ authFailures: [sandbox.ann.accountId] });
    const { port, ann, ben } = sandbox;
    expect(await sandbox.send(message("ada@example.com"))).toMatchObject({
      stage: "auth",
      code: 535,
    });
    expect(await port.poll(ann, "")).toMatchObject({ kind: "unreachable", login: true });
    expect(await port.test(ann)).toMatchObject({ smtp: { ok: false }, imap: { ok: false } });
    const fine = { ok: true, error: null };
    expect(await port.test(ben)).toEqual({ smtp: fine, imap: fine });
  });
});

describe("the Sent folder", () => {
  test("holds what was sent once, and takes a copy of what was not", async () => {
    const sandbox = createSandbox();
    const { port, ann } = sandbox;
    const [sent, other] = [message("ada@example.com"), message("ada@example.com")];
    await sandbox.send(sent);
    expect(await port.saveSent(ann, sent)).toEqual({ kind: "present" });
    expect(await port.find(ann, other.messageId)).toEqual({ kind: "absent" });
    expect(await port.saveSent(ann, other)).toEqual({ kind: "saved" });
    expect(await port.find(ann, other.messageId)).toEqual({ kind: "found", folder: "Sent" });
    expect(captured(sandbox)).toHaveLength(1);
  });
});

test("the same seed gives the same weeks, whatever the order of accounts", async () => {
  const run = async (seed: number, order: 1 | -1) => {
    const rates = {
      reply: 0.2,
      auto_reply: 0.2,
      hard_bounce: 0.1,
      unsubscribe: 0.1,
      complaint: 0.1,
    };
    const sandbox = createSandbox({ seed, rates });
    const start = cursorOf(await sandbox.port.poll(sandbox.ann, ""));
    const people = Array.from({ length: 60 }, (_, index) => `p${index}@example${index % 7}.com`);
    for (const person of order === 1 ? people : people.toReversed()) {
      await sandbox.send(message(person, { messageId: `<${person}>` }));
    }
    sandbox.clock.move(30 * DAY_MS);
    const mails = mailsOf(await sandbox.port.poll(sandbox.ann, start));
    const facts = await Promise.all(
      mails.map(async ({ raw, receivedAt }) => {
        const { from, subject, text } = await parseMail(raw);
        return JSON.stringify([receivedAt, from?.address, subject, text]);
      }),
    );
    return facts.sort();
  };
  const first = await run(5, 1);
  expect(first.length).toBeGreaterThan(10);
  expect(await run(5, -1)).toEqual(first);
  expect(await run(6, 1)).not.toEqual(first);
});
