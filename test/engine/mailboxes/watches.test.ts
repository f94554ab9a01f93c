/**
 * Guarantees of `engine/watches.ts`: a push is read at once, a connection that ends comes back without
 * hammering the server, and where there are too few they go to those that need them, in turn.
 */

import { afterEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS, plus, SECOND_MS } from "#domain/time.ts";
import { inboxWorker } from "#engine/inbox.ts";
import type { WatchEnd } from "#platform/ports/mail.ts";
import { accountById, updateAccount } from "#store/mailboxes/accounts.ts";
import { createLive, type LiveApp } from "../support.ts";

const ANN = "ann@sender.example";
const ENDED: WatchEnd = { kind: "ended", reason: "session expired" };
const THROTTLED: WatchEnd = { kind: "unreachable", reason: "too many connections", login: false };

let live: LiveApp;
afterEach(() => live.app.close());

async function start(imapConnections: number, ...addresses: string[]) {
  live = await createLive({ imapConnections });
  const ids = [];
  for (const address of addresses) {
    ids.push(await live.addAccount(address));
  }
  return ids;
}

const open = () => live.mail.watches.filter(({ isOpen }) => isOpen).map(({ address }) => address);
const watch = (address: string) => {
  const found = live.mail.watches.findLast((one) => one.address === address && one.isOpen);
  if (found === undefined) {
    throw new Error(`${address} is not watched`);
  }
  return found;
};
const polls = () => live.mail.polls.length;

/** The engine's own steps at one instant, until it has nothing more to do then. */
async function settle(worker: ReturnType<typeof inboxWorker>): Promise<void> {
  for (let steps = 0; steps < 10; steps += 1) {
    await worker.step(live.env.clock.now());
    await worker.settled?.();
  }
}

describe("a watched mailbox", () => {
  test("is read when email comes, in the same instant, and otherwise every five minutes", async () => {
    await start(10, ANN);
    const worker = inboxWorker(live.env);
    await settle(worker);
    expect(open()).toEqual([ANN]);
    const before = polls();
    watch(ANN).news();
    await settle(worker);
    expect(polls()).toBe(before + 1);
    live.app.wall.move(4 * MINUTE_MS);
    await settle(worker);
    expect(polls()).toBe(before + 1);
    live.app.wall.move(MINUTE_MS);
    await settle(worker);
    expect(polls()).toBe(before + 2);
  });

  test("whose email comes while it is read is read again", async () => {
    await start(10, ANN);
    const worker = inboxWorker(live.env);
    await settle(worker);
    const before = polls();
    watch(ANN).news();
    await worker.step(live.env.clock.now());
    watch(ANN).news();
    await worker.settled?.();
    await settle(worker);
    expect(polls()).toBe(before + 2);
  });

  test("is let go once it is not read any more, and claimed when it is again", async () => {
    const [id = ""] = await start(10, ANN);
    await live.run(2 * MINUTE_MS);
    expect(open()).toEqual([ANN]);
    await live.call("PATCH", `/accounts/${id}`, { status: "disabled" });
    await live.run(2 * MINUTE_MS);
    expect(open()).toEqual([]);
    await live.call("PATCH", `/accounts/${id}`, { status: "active" });
    await live.run(2 * MINUTE_MS);
    expect(open()).toEqual([ANN]);
  });

  test("none are watched where no connections are allowed", async () => {
    await start(0, ANN);
    await live.run(10 * MINUTE_MS);
    expect(live.mail.watches).toEqual([]);
    expect(polls()).toBeGreaterThan(5);
  });
});

describe("a connection that has ended", () => {
  test("as all do comes back at once, and what came meanwhile is read", async () => {
    await start(10, ANN);
    await live.run(HOUR_MS);
    const [times, before] = [live.mail.watches.length, polls()];
    watch(ANN).end(ENDED);
    await live.run(SECOND_MS);
    expect(live.mail.watches).toHaveLength(times + 1);
    expect(open()).toEqual([ANN]);
    expect(polls()).toBeGreaterThan(before);
  });

  test.each([
    ["right after it came to be", { ...ENDED }],
    ["before it came to be", THROTTLED],
  ])("%s is tried less and less often, an hour apart at most", async (_name, how) => {
    live = await createLive({ imapConnections: 10 });
    live.mail.watchEnds.push(...Array.from({ length: 100 }, () => how));
    const id = await live.addAccount(ANN);
    await live.run(HOUR_MS);
    const first = live.mail.watches.length;
    expect(first).toBeGreaterThan(3);
    expect(first).toBeLessThan(9);
    await live.run(6 * HOUR_MS);
    expect(live.mail.watches.length - first).toBeGreaterThan(3);
    expect(live.mail.watches.length - first).toBeLessThan(9);
    expect(accountById(live.env.db, id)).toMatchObject({ status: "active", lastError: null });
  });

  test("because the credentials are refused: the next poll says so, and it is not tried again", async () => {
    live = await createLive({ imapConnections: 10 });
    const id = await live.addAccount(ANN);
    live.mail.watchEnds.push({ kind: "unreachable", reason: "bad password", login: true });
    live.mail.broken.set(ANN, { reason: "bad password", login: true });
    await live.run(DAY_MS);
    expect(live.account(id)).toMatchObject({ status: "error", statusReason: "auth" });
    expect(live.mail.watches).toHaveLength(1);
  });

  test("because the server cannot tell: the mailbox is polled, and asked again after a day", async () => {
    live = await createLive({ imapConnections: 10 });
    live.mail.watchEnds.push({ kind: "unsupported", reason: "no IDLE" });
    await live.addAccount(ANN);
    await live.run(23 * HOUR_MS);
    expect(live.mail.watches).toHaveLength(1);
    expect(polls()).toBeGreaterThan(23 * 50);
    await live.run(2 * HOUR_MS);
    expect(live.mail.watches).toHaveLength(2);
  });

  test("while the mailbox cannot be read is not opened again before it can", async () => {
    await start(10, ANN);
    await live.run(HOUR_MS);
    const times = live.mail.watches.length;
    live.mail.broken.set(ANN, { reason: "timed out", login: false });
    watch(ANN).end(ENDED);
    await live.run(3 * HOUR_MS);
    expect(live.mail.watches.length - times).toBeLessThan(2);
    live.mail.broken.clear();
    await live.run(2 * HOUR_MS);
    expect(open()).toEqual([ANN]);
  });
});

describe("more mailboxes than connections", () => {
  const [BEN, CYN] = ["ben@sender.example", "cyn@sender.example"];

  test("those that have sent last are watched, the others are polled", async () => {
    const ids = await start(2, ANN, BEN, CYN);
    await live.env.commit(() => {
      for (const [index, id] of ids.entries()) {
        const row = live.account(id);
        updateAccount(live.env.db, { ...row, lastClaimAt: plus(row.createdAt, index) });
      }
    });
    await live.run(HOUR_MS / 2);
    expect(open().toSorted()).toEqual([BEN, CYN]);
    const count = (address: string) => live.mail.polls.filter((one) => one === address).length;
    expect(count(ANN)).toBeGreaterThan(25);
    expect(count(BEN)).toBeLessThan(12);
  });

  test("one that has sent since takes the place of another, which keeps it for an hour", async () => {
    await start(1, ANN, BEN);
    await live.run(MINUTE_MS);
    const [first = ""] = open();
    const other = first === ANN ? BEN : ANN;
    const id = await idOf(other);
    await live.env.commit(() => {
      const row = live.account(id);
      updateAccount(live.env.db, { ...row, lastClaimAt: live.env.clock.now() });
    });
    await live.run(HOUR_MS / 2);
    expect(open()).toEqual([first]);
    await live.run(HOUR_MS);
    expect(open()).toEqual([other]);
  });
});

async function idOf(address: string): Promise<string> {
  const { body } = await live.call("GET", "/accounts");
  return body.data.find((one: { email: string }) => one.email === address).id;
}
