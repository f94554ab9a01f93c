/**
 * Guarantees of `engine/reconcile.ts`: after a restore nobody is written to twice. The world goes on after
 * a copy was made, then a second program starts on the copy; what both together have sent is judged.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { header } from "#domain/inbound/mail.ts";
import { HOUR_MS } from "#domain/time.ts";
import { reconcile } from "#engine/reconcile.ts";
import { parseMail } from "#mail/parse.ts";
import type { Envelope, SentMail, SentOutcome } from "#runtime/ports/mail.ts";
import { copyOpen } from "#store/snapshot.ts";
import { createLive, type LiveApp } from "./support.ts";

const STEPS = [
  { type: "email", subject: "Hi", body: "Hello" },
  { type: "email", body: "Again", wait_days: 1 },
];
const PEOPLE = ["a@one.example", "b@two.example", "c@three.example", "d@four.example"];

let dir: string;
let before: LiveApp;
let after: LiveApp | undefined;
let accountId: string;
let leads: string[];

const paths = (name: string) => ({
  live: join(dir, `${name}-live.db`),
  test: join(dir, `${name}-test.db`),
});

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "outrider-reconcile-"));
  before = await createLive({ paths: paths("before") });
  after = undefined;
  accountId = await before.addAccount();
  await before.call("PATCH", `/accounts/${accountId}`, { daily_limit: 50, hourly_limit: 50 });
  ({ leads } = await before.launch(STEPS, ...PEOPLE));
});
afterEach(async () => {
  await before.app.close();
  await after?.app.close();
  rmSync(dir, { recursive: true, force: true });
});

/** The state of now, to be restored later. */
function copy(): void {
  const { live, test: sandbox } = before.app.worlds;
  copyOpen(live.db, paths("after").live, before.app.wall.now());
  copyOpen(sandbox.db, paths("after").test, before.app.wall.now());
}

/** Another program on the copy, at the time at which the first one ended. */
async function restored(): Promise<LiveApp> {
  after = await createLive({ paths: paths("after"), seed: 99 });
  after.app.wall.set(before.app.wall.now());
  return after;
}

async function listing(envelopes: readonly Envelope[]): Promise<SentOutcome> {
  const mails = envelopes.map(async ({ raw }): Promise<SentMail> => {
    const mail = await parseMail(raw);
    const unsubscribe = header(mail, "list-unsubscribe") ?? "";
    const { messageId, to, subject, date } = mail;
    return {
      folder: "Sent",
      messageId,
      to,
      subject,
      unsubscribe,
      at: date ?? before.app.wall.now(),
    };
  });
  return { kind: "listed", mails: await Promise.all(mails) };
}

/** Who got how many mails of both programs. */
function sentTo(): Record<string, number> {
  const all = [...before.mail.taken, ...(after?.mail.taken ?? [])];
  const counts = Map.groupBy(all, ({ to }) => to);
  return Object.fromEntries([...counts].map(([to, { length }]) => [to, length]));
}

describe("after a restore", () => {
  test("what lies in a Sent folder was sent, and the sequence goes on behind it", async () => {
    await before.call("PATCH", `/accounts/${accountId}`, { imap: { save_sent: false } });
    copy();
    await before.run(HOUR_MS);
    const { length } = before.mail.taken;
    expect(length).toBeGreaterThan(0);
    const live = await restored();
    live.mail.listing = await listing(before.mail.taken);

    expect(await reconcile(live.world, null)).toMatchObject({ recorded: length, held: 0 });
    expect(leads.flatMap((id) => live.messages(id)).map(({ status }) => status)).toEqual(
      Array.from({ length }, () => "sent"),
    );
    expect(await reconcile(live.world, null)).toBeUndefined();
    await live.days(3);
    expect(sentTo()).toEqual(Object.fromEntries(PEOPLE.map((to) => [to, 2])));
  });

  test("where no folder tells, what would have been sent meanwhile is held, and nothing goes twice", async () => {
    copy();
    await before.run(HOUR_MS);
    const { length } = before.mail.taken;
    const live = await restored();

    const found = await reconcile(live.world, null);
    expect(found).toMatchObject({ recorded: 0, unchecked: 1 });
    expect(found?.held).toBeGreaterThanOrEqual(length);
    await live.days(3);
    for (const { to } of before.mail.taken) {
      expect(sentTo()[to]).toBe(1);
    }
  });

  test("a reply of the lost time ends its sequence before anything is sent", async () => {
    await before.call("PATCH", `/accounts/${accountId}`, { imap: { save_sent: false } });
    await before.run(HOUR_MS);
    copy();
    const [first] = before.mail.taken;
    const live = await restored();
    live.mail.listing = { kind: "listed", mails: [] };
    live.deliver(
      "ann@sender.example",
      `From: ${first?.to}\nTo: ann@sender.example\nSubject: Re: Hi\nMessage-ID: <r@x.example>\nIn-Reply-To: ${first?.messageId}\n\nYes please.\n`,
    );
    await reconcile(live.world, null);
    await live.days(3);
    expect(sentTo()[first?.to ?? ""]).toBe(1);
  });

  test("an original is left alone", async () => {
    expect(await reconcile(before.world, null)).toBeUndefined();
  });
});
