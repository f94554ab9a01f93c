/**
 * Emails with attachments are in memory until their server has them, so only 48 MB of files are on their way at
 * once. What doesn't fit isn't claimed: it holds no slot, uses no cap, and never comes after its window. Test
 * emails, copies in Sent folders, and downloads share the bound.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS, plus, SECOND_MS, unixMs } from "#domain/time.ts";
import { sendWorker } from "#engine/send.ts";
import type { Worker } from "#engine/worker.ts";
import { upload } from "../../support/files.ts";
import { createLive, type LiveApp, START } from "../support.ts";

const MB = 1024 * 1024;
const STEP = { type: "email", subject: "Hi", body: "Hello" };

let live: LiveApp;
let worker: Worker;
/** Lets every server say that it took what it has. */
let respond: () => void;
beforeEach(async () => {
  live = await createLive();
  worker = sendWorker(live.env);
  const { promise, resolve } = Promise.withResolvers<void>();
  respond = resolve;
  const { send } = live.mail;
  live.mail.send = async (...parameters) => {
    const outcome = await send(...parameters);
    await promise;
    return outcome;
  };
});
afterEach(() => live.app.close());

/** A campaign of `mailboxes` that writes to as many leads, each email with a file of so many bytes. */
async function launch(name: string, mailboxes: number, bytes: number): Promise<string[]> {
  const addresses = Array.from({ length: mailboxes }, (_, nth) => `${name}${nth}@sender.example`);
  const ids: string[] = [];
  for (const address of addresses) {
    ids.push(await live.addAccount(address));
  }
  const file =
    bytes === 0
      ? []
      : [
          (await upload(live.app, "f.zip", new Uint8Array(bytes), { key: live.app.keys.live })).body
            .id,
        ];
  const { body } = await live.call("POST", "/campaigns", { name, account_ids: ids });
  await live.call("POST", `/campaigns/${body.id}/steps`, { ...STEP, attachment_ids: file });
  const leads = ids.map((_, nth) => ({ email: `${name}${nth}@client.example` }));
  await live.call("POST", `/campaigns/${body.id}/leads`, { leads });
  expect((await live.call("POST", `/campaigns/${body.id}/start`)).status).toBe(200);
  return leads.map(({ email }) => email);
}

/** Steps the worker until it has nothing more to do now. */
async function stepAll(): Promise<number | undefined> {
  for (;;) {
    const now = live.env.clock.now();
    const next = await worker.step(now);
    if (next === undefined || next > now) {
      return next;
    }
  }
}

function claimed(): string[] {
  return live.env.db.raw
    .query<{ recipient: string }, []>("select recipient from messages where status = 'sending'")
    .all()
    .map(({ recipient }) => recipient);
}

const taken = () => live.mail.taken.map(({ to }) => to);

test("four of ten megabytes are on their way at once; the rest follows within seconds", async () => {
  const to = await launch("big", 6, 10 * MB);
  const next = await stepAll();
  expect(claimed()).toHaveLength(4);
  const counted = live.env.db.raw
    .query<{ n: number }, []>("select sum(count) as n from usage where kind = 'account_day'")
    .get();
  expect(counted?.n).toBe(4);
  expect(next).toBe(plus(START, 5 * SECOND_MS));

  respond();
  await worker.settled?.();
  live.app.wall.set(plus(START, 5 * SECOND_MS));
  await stepAll();
  await worker.settled?.();
  expect(taken().toSorted()).toEqual(to.toSorted());
});

test("those that don't fit hold no slot: emails without attachments go on", async () => {
  await launch("big", 64, 10 * MB);
  const [plain = ""] = await launch("plain", 1, 0);
  await stepAll();
  expect(claimed()).toHaveLength(5);
  expect(claimed()).toContain(plain);
  respond();
  await worker.settled?.();
});

test("one that didn't fit before the window closed is sent when it opens again", async () => {
  const closes = unixMs(Date.UTC(2026, 2, 2, 17));
  const to = await launch("big", 5, 10 * MB);
  live.app.wall.set(plus(closes, -SECOND_MS));
  await stepAll();
  while (taken().length < 4) {
    await new Promise(setImmediate);
  }
  live.app.wall.set(plus(closes, SECOND_MS));
  respond();
  await worker.settled?.();
  await stepAll();
  await worker.settled?.();
  expect(taken()).toHaveLength(4);
  live.app.wall.set(plus(closes, 16 * HOUR_MS + MINUTE_MS));
  await live.run(HOUR_MS);
  expect(taken().toSorted()).toEqual(to.toSorted());
});

describe("with all of it taken", () => {
  let forget: (() => void) | undefined;
  const take = () => {
    forget = live.env.attachmentCapacity.take(48 * MB);
  };

  test("a test email and a download are asked to come again, and count against no limit", async () => {
    await launch("big", 1, MB);
    respond();
    await live.run(MINUTE_MS);
    const [message] = live.env.db.raw
      .query<{ id: Uint8Array }, []>("select id from messages where status = 'sent'")
      .all();
    const id = message?.id.toHex().replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
    const { data } = (await live.call("GET", "/campaigns")).body;
    const [step] = (await live.call("GET", `/campaigns/${data[0].id}/steps`)).body.data;
    const asks = [
      () =>
        live.call("POST", `/campaigns/${data[0].id}/steps/${step.id}/send-test`, {
          to: "me@team.example",
        }),
      () => live.call("GET", `/messages/${id}/raw`),
    ];
    take();
    for (const ask of asks) {
      const { status, headers } = await ask();
      expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
    }
    expect(live.mail.offered).toHaveLength(1);
    forget?.();
    for (const ask of asks) {
      expect((await ask()).status).toBe(200);
    }
    expect(live.mail.offered).toHaveLength(2);
    const counted = live.env.db.raw
      .query<{ n: number }, []>("select sum(count) as n from usage where kind = 'account_day'")
      .get();
    expect(counted?.n).toBe(2);
  });

  test("a copy for the Sent folder is made seconds later", async () => {
    await launch("big", 1, MB);
    respond();
    await stepAll();
    await worker.settled?.();
    expect(taken()).toHaveLength(1);
    take();
    await live.run(MINUTE_MS);
    expect(live.mail.copied).toHaveLength(0);
    forget?.();
    await live.run(10 * SECOND_MS);
    expect(live.mail.copied).toHaveLength(1);
  });
});
