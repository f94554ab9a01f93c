/**
 * A sandbox mailbox is looked at as if it were looked at every ten minutes, and is not where nothing could
 * be seen: a month of a hundred mailboxes is none of waiting.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS, plus, type UnixMs, unixMs } from "#domain/time.ts";
import { POLL_EVERY_MS } from "#sandbox/mail.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { createSandbox, mailbox, message } from "./support.ts";

let app: TestApp;
let account: string;
/** When the mailbox was looked at. */
let looks: UnixMs[];
/** Emails that were read. */
let read: number;

beforeEach(async () => {
  app = await createTestApp();
  looks = [];
  read = 0;
  const { mail, clock } = app.environments.test;
  const { poll } = mail;
  mail.poll = async (...parameters) => {
    looks.push(clock.now());
    const outcome = await poll(...parameters);
    read += outcome.kind === "read" ? outcome.mails.length : 0;
    return outcome;
  };
  const fields = { email: "ann@acme.test", provider: "sandbox" };
  account = (await app.call("POST", "/accounts", fields)).body.id;
  await app.advance(MINUTE_MS);
});
afterEach(() => app.close());

const write = (text: string) =>
  app.call("POST", "/sandbox/inject", {
    kind: "reply",
    account_id: account,
    from: "bob@example.com",
    text,
  });

const waitOf = async () =>
  app.environments.test.db.raw.query("select poll_at, poll_errors from accounts").values();

/** Milliseconds between one look and the next. */
const gaps = () => looks.slice(1).map((at, nth) => at - (looks[nth] ?? at));

describe("a mailbox", () => {
  test("is looked at once a day while nothing is on its way", async () => {
    await app.advance(4 * DAY_MS);
    expect(gaps()).toEqual([DAY_MS, DAY_MS, DAY_MS, DAY_MS]);
  });

  test.each([1, 4, 9])(
    "is looked at in its first turn after an answer, %i minutes in",
    async (minutes) => {
      const { mail, clock } = app.environments.test;
      await app.advance(HOUR_MS + minutes * MINUTE_MS);
      const [first] = looks as [UnixMs];
      const answered = message("reply@sandbox.test");
      await mail.send(mailbox(account, "ann@acme.test"), answered, () => Promise.resolve());
      const arrivesAt = clock.now() + 5 * MINUTE_MS;
      await app.advance(HOUR_MS);
      const [, seen, ...later] = looks as [UnixMs, UnixMs];
      expect([seen >= arrivesAt, seen < arrivesAt + POLL_EVERY_MS, later]).toEqual([
        true,
        true,
        [],
      ]);
      expect((seen - first) % POLL_EVERY_MS).toBe(0);
      expect(read).toBe(1);
    },
  );

  test("is looked at at once where somebody puts an email into it", async () => {
    await app.advance(HOUR_MS);
    looks = [];
    expect((await write("Hello")).status).toBe(200);
    await app.advance(MINUTE_MS);
    expect(looks).toHaveLength(1);
  });

  test("is looked at in every turn while reading fails now and then", async () => {
    await app.call("PATCH", "/sandbox/settings", { faults: { imap: 0.000_001 } });
    await app.advance(HOUR_MS);
    expect(gaps().slice(-5)).toEqual(Array.from({ length: 5 }, () => POLL_EVERY_MS));
  });

  test("that cannot be read waits as long as ever, though something is put on its way", async () => {
    await app.call("PATCH", "/sandbox/settings", { faults: { imap: 1 } });
    await app.advance(4 * POLL_EVERY_MS);
    const before = await waitOf();
    const { mail } = app.environments.test;
    const answered = message("reply@sandbox.test");
    await mail.send(mailbox(account, "ann@acme.test"), answered, () => Promise.resolve());
    expect(await waitOf()).toEqual(before);
  });

  test("whose login is switched off is found out in its next turn", async () => {
    await app.advance(HOUR_MS);
    await app.call("PATCH", "/sandbox/settings", { faults: { auth_failures: [account] } });
    await app.advance(POLL_EVERY_MS);
    const { body } = await app.call("GET", `/accounts/${account}`);
    expect(body.last_error).toStartWith("535 5.7.8");
  });
});

test("what is put on its way while a look is being recorded is not slept through", async () => {
  const { db, clock, port, ann, send } = createSandbox();
  const outcome = await port.poll(ann, "");
  const quietUntil = () => (outcome.kind === "read" ? outcome.quietUntil?.() : undefined);
  expect(quietUntil()).toBe(plus(clock.now(), DAY_MS));
  await send(message("bounce@sandbox.test"));
  expect(quietUntil()).toBe(plus(clock.now(), 10_000));
  const [first] = db.raw.query("select arrives_at from sandbox_mails").values() as [[number]];
  expect(quietUntil()).toBe(unixMs(first[0]));
});
