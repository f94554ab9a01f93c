/**
 * What every mail port keeps, whichever environment is behind it. An implementation calls
 * `mailPortConformance` with a harness; what its environment has no way to do, it leaves out by name.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { CONNECTION_STEPS } from "#domain/mailboxes/connection-step.ts";
import type { Envelope, Mailbox, MailPort, ReceivedMail } from "#platform/ports/mail.ts";
import { counted, rawMessage } from "./support.ts";

export interface MailHarness {
  port: MailPort;
  /** Sends and, where the environment has incoming email, receives. */
  mailbox: Mailbox;
  recipients: { accepts: string; refuses: string; defers: string };
  /** Messages with this Message-ID that have reached their recipient, once that is certain. */
  arrivals(messageId: string): Promise<number>;
  /** The same mailbox with credentials that its server refuses; absent: the environment has no logins. */
  wrongLogin?: Mailbox;
  /** Absent: the environment has no incoming email. */
  incoming?: {
    /** Puts an email into INBOX; settles when it can be read. */
    deliver(raw: Uint8Array): Promise<void>;
    /**
     * Flags and folders of the mailbox, to see that reading leaves no trace; absent: there are
     * none.
     */
    traces?(): Promise<string>;
    /** Whether the environment can tell of new email by itself. */
    tells: boolean;
  };
  /** A mailbox in which what `mailbox` sends to `address` can be looked for. */
  seed?: {
    mailbox: Mailbox;
    address: string;
    /** Settles when email that was sent has been delivered. */
    delivered(messageId: string): Promise<void>;
  };
  stop(): Promise<void>;
}

/** Polls until a batch is the last one. */
const POLLS_MAX = 20;

export function mailPortConformance(
  name: string,
  facets: { incoming: boolean; logins: boolean },
  start: () => Promise<MailHarness>,
): void {
  describe(`a mail port: ${name}`, () => {
    const given: { harness?: MailHarness } = {};
    const harness = (): MailHarness => {
      if (given.harness === undefined) {
        throw new Error("the harness did not start");
      }
      return given.harness;
    };
    beforeAll(async () => {
      given.harness = await start();
    }, 60_000);
    afterAll(async () => {
      await given.harness?.port.close();
      await given.harness?.stop();
    }, 60_000);

    sending(harness);
    if (facets.logins) {
      logins(harness);
    }
    if (facets.incoming) {
      receiving(harness);
      looking(harness);
      copies(harness);
    }
  });
}

type Given = () => MailHarness;
let serial = 0;

function envelope({ mailbox }: MailHarness, to: string): Envelope {
  serial += 1;
  const messageId = `<conformance.${serial}.${crypto.randomUUID()}@out.test>`;
  const from = mailbox.address;
  return { from, to, messageId, raw: rawMessage({ from, to, messageId }) };
}

function sending(given: Given): void {
  test("send: what is accepted arrives once; the claim was made once, before", async () => {
    const harness = given();
    const message = envelope(harness, harness.recipients.accepts);
    const { calls, beforeBody } = counted();
    const outcome = await harness.port.send(harness.mailbox, message, beforeBody);
    expect(outcome).toMatchObject({ kind: "accepted", response: expect.any(String) });
    expect(calls.count).toBe(1);
    expect(await harness.arrivals(message.messageId)).toBe(1);
  });

  test.each([
    ["refuses", "refused", 500],
    ["defers", "deferred", 400],
  ] as const)(
    "send: a recipient that %s ends at RCPT, before any claim",
    async (who, kind, from) => {
      const harness = given();
      const message = envelope(harness, harness.recipients[who]);
      const { calls, beforeBody } = counted();
      const outcome = await harness.port.send(harness.mailbox, message, beforeBody);
      expect(outcome).toMatchObject({ kind, stage: "rcpt" });
      if (outcome.kind === "refused" || outcome.kind === "deferred") {
        expect(Math.floor(outcome.code / 100) * 100).toBe(from);
        expect(outcome.enhanced ?? `${from / 100}.0.0`).toStartWith(`${from / 100}.`);
        expect(outcome.response).not.toMatch(/\p{Cc}/u);
      }
      expect(calls.count).toBe(0);
    },
  );

  test("send: after a refusal the mailbox sends on", async () => {
    const harness = given();
    const { refuses, accepts } = harness.recipients;
    for (const [to, kind] of [
      [refuses, "refused"],
      [accepts, "accepted"],
    ] as const) {
      const message = envelope(harness, to);
      const outcome = await harness.port.send(harness.mailbox, message, async () => undefined);
      expect(outcome.kind).toBe(kind);
    }
  });

  test("send: a message withheld at the last moment was not handed over", async () => {
    const harness = given();
    const message = envelope(harness, harness.recipients.accepts);
    const { calls, beforeBody } = counted(() => Promise.reject(new Error("the claim was lost")));
    const outcome = await harness.port.send(harness.mailbox, message, beforeBody);
    expect(outcome).toMatchObject({ kind: "unreachable", stage: "data", bodySent: false });
    expect(calls.count).toBe(1);
    expect(await harness.arrivals(message.messageId)).toBe(0);
  });

  test("send: messages at the same time arrive once each", async () => {
    const harness = given();
    const messages = Array.from({ length: 5 }, () => envelope(harness, harness.recipients.accepts));
    const outcomes = await Promise.all(
      messages.map((message) => harness.port.send(harness.mailbox, message, async () => undefined)),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(new Array(5).fill("accepted"));
    for (const { messageId } of messages) {
      expect(await harness.arrivals(messageId)).toBe(1);
    }
  });

  test("forget: the next message goes out all the same", async () => {
    const harness = given();
    harness.port.forget(harness.mailbox.accountId);
    harness.port.forget("an account that never was");
    const message = envelope(harness, harness.recipients.accepts);
    const outcome = await harness.port.send(harness.mailbox, message, async () => undefined);
    expect(outcome.kind).toBe("accepted");
  });
}

function logins(given: Given): void {
  const wrong = (harness: MailHarness): Mailbox => {
    if (harness.wrongLogin === undefined) {
      throw new Error("the harness has no mailbox with a wrong login");
    }
    return harness.wrongLogin;
  };

  test("a wrong password is a refused login, before any claim", async () => {
    const harness = given();
    const { calls, beforeBody } = counted();
    const message = envelope(harness, harness.recipients.accepts);
    const outcome = await harness.port.send(wrong(harness), message, beforeBody);
    expect(outcome).toMatchObject({ kind: "refused", stage: "auth", code: 535 });
    expect(calls.count).toBe(0);
  });

  test("examine: names the step at which the login is refused, with a remedy", async () => {
    const harness = given();
    const { steps, smtp, imap } = await harness.port.examine(wrong(harness), null);
    const failed = steps.filter(({ ok }) => ok === false);
    expect(failed[0]?.step).toBe("smtp_login");
    expect(failed.every(({ remedy }) => remedy !== null)).toBe(true);
    expect([smtp.login, imap.ok]).toEqual([true, false]);
  });

  test("test: says which side refuses, in words", async () => {
    const harness = given();
    const outcome = await harness.port.test(wrong(harness));
    expect(outcome.smtp).toMatchObject({ ok: false, error: expect.stringMatching(/\S/) });
    expect(outcome.imap).toMatchObject({ ok: false, error: expect.stringMatching(/\S/) });
  });
}

function receiving(given: Given): void {
  const incoming = (harness: MailHarness) => {
    if (harness.incoming === undefined) {
      throw new Error("the harness has no incoming mail");
    }
    return harness.incoming;
  };
  const reply = (subject: string) =>
    rawMessage({
      from: "alice@acme.test",
      to: given().mailbox.address,
      messageId: `<reply.${crypto.randomUUID()}@acme.test>`,
      subject,
    });
  const read = async (cursor: string) => {
    const { port, mailbox } = given();
    const outcome = await port.poll(mailbox, cursor);
    if (outcome.kind !== "read") {
      throw new Error(`not read: ${outcome.reason}`);
    }
    return outcome;
  };
  const subjects = (mails: readonly ReceivedMail[]) =>
    mails.map(({ raw }) => /^Subject: (.*)$/m.exec(new TextDecoder().decode(raw))?.[1]?.trim());

  test("poll: an empty cursor means from now on", async () => {
    await incoming(given()).deliver(reply("before"));
    const first = await read("");
    expect(first.mails).toEqual([]);
    expect(first.more).toBe(false);
    expect((await read(first.cursor)).mails).toEqual([]);
  });

  test("poll: new email comes once, oldest first; the same cursor gives it again", async () => {
    const { cursor } = await read("");
    await incoming(given()).deliver(reply("one"));
    await incoming(given()).deliver(reply("two"));
    const first = await read(cursor);
    expect(subjects(first.mails)).toEqual(["one", "two"]);
    expect(new Set(first.mails.map((mail) => `${mail.folder} ${mail.uid}`)).size).toBe(2);
    const again = await read(cursor);
    expect(subjects(again.mails)).toEqual(["one", "two"]);
    expect(again.mails.map(({ uid }) => uid)).toEqual(first.mails.map(({ uid }) => uid));
    expect((await read(first.cursor)).mails).toEqual([]);
  });

  test("poll: a backlog comes in batches, each email once", async () => {
    const expected = Array.from({ length: 60 }, (_, index) => `backlog ${index}`);
    let { cursor } = await read("");
    for (const subject of expected) {
      await incoming(given()).deliver(reply(subject));
    }
    const got: (string | undefined)[] = [];
    for (let polls = 1, more = true; more && polls <= POLLS_MAX; polls += 1) {
      const batch = await read(cursor);
      got.push(...subjects(batch.mails));
      ({ cursor, more } = batch);
    }
    expect(got).toEqual(expected);
  }, 60_000);

  test("watch: tells at its beginning and of what comes, or says that it cannot", async () => {
    const { port, mailbox } = given();
    const { tells, deliver } = incoming(given());
    const controller = new AbortController();
    const news = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let told = 0;
    const end = port.watch(mailbox, controller.signal, () => {
      news[told]?.resolve();
      told += 1;
    });
    if (!tells) {
      expect((await end).kind).toBe("unsupported");
      expect(told).toBe(0);
      return;
    }
    await news[0]?.promise;
    const { cursor } = await read("");
    await deliver(reply("news"));
    await news[1]?.promise;
    expect(subjects((await read(cursor)).mails)).toEqual(["news"]);
    controller.abort();
    expect(await end).toEqual({ kind: "stopped" });
  }, 30_000);

  test("watch: what was called off before it began is not begun", async () => {
    const { port, mailbox } = given();
    const end = await port.watch(mailbox, AbortSignal.abort(), () => undefined);
    expect(["stopped", "unsupported"]).toContain(end.kind);
  });

  test("poll: reading leaves no trace in the mailbox", async () => {
    const { traces } = incoming(given());
    const { cursor } = await read("");
    await incoming(given()).deliver(reply("unread"));
    const before = await traces?.();
    expect((await read(cursor)).mails).toHaveLength(1);
    expect(await traces?.()).toBe(before);
  });
}

function looking(given: Given): void {
  const seedOf = ({ seed }: MailHarness) => {
    if (seed === undefined) {
      throw new Error("the harness has no mailbox to look into");
    }
    return seed;
  };

  test("look: finds what arrived, with its headers, and nothing that did not", async () => {
    const harness = given();
    const seed = seedOf(harness);
    const sent = envelope(harness, seed.address);
    const before = await harness.port.look(seed.mailbox, []);
    expect(before).toMatchObject({ kind: "looked", found: [] });
    await harness.port.send(harness.mailbox, sent, async () => undefined);
    await seed.delivered(sent.messageId);
    const wanted = { messageId: sent.messageId, token: "a-token-of-this-message" };
    const other = { messageId: "<nobody@out.test>", token: "a-token-of-another" };
    const outcome = await harness.port.look(seed.mailbox, [other, wanted]);
    expect(outcome).toMatchObject({
      kind: "looked",
      found: [{ messageId: sent.messageId, place: expect.stringMatching(/^(inbox|junk)$/) }],
    });
    const headers = outcome.kind === "looked" ? outcome.found[0]?.headers : undefined;
    expect(new TextDecoder().decode(headers)).toContain(`Message-ID: ${sent.messageId}`);
  });
}

function copies(given: Given): void {
  test("saveSent and find: one copy, found by its Message-ID", async () => {
    const harness = given();
    const { port, mailbox } = harness;
    const message = envelope(harness, harness.recipients.accepts);
    expect(await port.find(mailbox, message.messageId)).toEqual({ kind: "absent" });
    expect(await port.saveSent(mailbox, message)).toEqual({ kind: "saved" });
    expect(await port.saveSent(mailbox, message)).toEqual({ kind: "present" });
    expect(await port.find(mailbox, message.messageId)).toMatchObject({ kind: "found" });
  });

  test("examine: a mailbox that works goes all the way, with an email to itself", async () => {
    const harness = given();
    const message = envelope(harness, harness.mailbox.address);
    const mail = { envelope: message, saves: true };
    const { steps } = await harness.port.examine(harness.mailbox, mail);
    expect(steps.filter(({ ok }) => ok !== true)).toEqual([]);
    expect(steps.map(({ step }) => step)).toEqual([...CONNECTION_STEPS]);
  });

  test("test: a mailbox that works is ok on both sides", async () => {
    const { port, mailbox } = given();
    expect(await port.test(mailbox)).toMatchObject({
      smtp: { ok: true, error: null },
      imap: { ok: true, error: null },
    });
  });
}
