/**
 * Guarantees of the workers where servers accept and then hang: a host and a team have a share of the slots,
 * and mailboxes elsewhere go on. Over sockets on this machine; counted, not timed.
 */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { unixMs } from "#domain/time.ts";
import { inboxWorker } from "#engine/inbox.ts";
import { sendWorker } from "#engine/send.ts";
import type { Worker } from "#engine/worker.ts";
import { createShares } from "#platform/shares.ts";
import { accountById, insertAccount, updateAccount } from "#store/mailboxes/accounts.ts";
import { sealCredentials } from "#usecases/mailboxes/credentials.ts";
import { startSmtpSink } from "../../mail/smtp/smtp-sink.ts";
import { localMailPort } from "../../mail/support.ts";
import { makeCampaign } from "../../support/campaigns.ts";
import { tableDns } from "../../support/dns.ts";
import { startLoopback } from "../../support/loopback.ts";
import { createLive, type LiveApp } from "../support.ts";

const HANGING = 220;
/** Turns of the event loop in which nothing new happens. */
const QUIET_TURNS = 2_000;

let live: LiveApp;
const ends: (() => unknown)[] = [];
beforeEach(async () => {
  const here = ["127.0.0.1"];
  const dns = tableDns({ "hang.test": here, "hang2.test": here, "good.test": here });
  live = await createLive({ mail: localMailPort({ dns }) });
});
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) {
    await end();
  }
  await live.app.close();
});

/** A server that accepts and says nothing. */
async function blackHole() {
  let connections = 0;
  const { port, stop } = await startLoopback(() => {
    connections += 1;
  });
  ends.push(stop);
  return { port, connections: () => connections };
}

/** `count` mailboxes like the first one, at that server; of another team, the first is not read. */
async function mailboxes(
  count: number,
  host: string,
  ports: { smtp: number; imap?: number },
  teamId = live.app.team.id,
) {
  const isOwn = teamId === live.app.team.id;
  const id = await live.addAccount(`first@${host}`);
  await live.env.commit(() => {
    const { env } = live;
    const found = accountById(env.db, id);
    if (found === undefined) {
      throw new Error("no such account");
    }
    const login = { host, security: "none", username: "u" } as const;
    const row = {
      ...found,
      notReadyReason: null,
      smtp: { ...login, port: ports.smtp },
      imap: { ...login, port: ports.imap ?? ports.smtp },
      pollAt: ports.imap === undefined ? null : unixMs(0),
      wakeAt: ports.imap === undefined ? unixMs(0) : null,
    };
    updateAccount(env.db, isOwn ? row : { ...row, pollAt: null });
    for (let n = isOwn ? 1 : 0; n < count; n += 1) {
      const own = env.ids.next(env.clock.now());
      const other = { ...row, id: own, teamId, email: `m${n}@${host}`, secrets: null };
      const logins = { smtpPassword: "secret", imapPassword: "secret" };
      insertAccount(env.db, { ...other, secrets: sealCredentials(env.vault, other, logins) });
    }
  });
}

test("shares bound each host and each team, and what is given back is free again", () => {
  const shares = createShares({ all: 8, host: 4 });
  const take = (teamId: string, host: string) => shares.take({ teamId, host });
  const first = take("a", "x");
  for (let n = 0; n < 3; n += 1) {
    take("a", "x");
  }
  expect(take("b", "x")).toBeUndefined();
  take("a", "y");
  take("a", "y");
  expect(take("a", "z")).toBeUndefined();
  expect(shares.full()).toEqual({ hosts: ["x"], teams: ["a"] });
  expect([take("b", "z"), take("c", "z")]).not.toContain(undefined);
  expect([shares.room(), take("d", "w")]).toEqual([0, undefined]);
  first?.();
  expect([shares.room(), take("a", "w")]).toEqual([1, undefined]);
  expect(take("d", "w")).toBeDefined();
});

test("however many slots there are, one team gets three quarters, and others find one after another", () => {
  for (const all of [4, 8, 16, 32, 64, 200]) {
    const shares = createShares({ all });
    const takeAll = (teamId: string) => {
      let count = 0;
      while (shares.take({ teamId }) !== undefined) {
        count += 1;
      }
      return count;
    };
    expect(takeAll("a")).toBe((3 * all) / 4);
    expect(takeAll("b")).toBeGreaterThanOrEqual(1);
    expect(shares.room() === 0 || takeAll("c") > 0).toBe(true);
  }
});

/** Steps the worker until nothing more happens, by what `count` says. */
async function stepUntilQuiet(worker: Worker, count: () => number): Promise<void> {
  let seen = -1;
  for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
    await worker.step(live.app.wall.now());
    await new Promise((resolve) => setImmediate(resolve));
    if (count() !== seen) {
      seen = count();
      quiet = 0;
    }
  }
}

test("220 mailboxes whose server hangs leave slots for those of another server", async () => {
  const hole = await blackHole();
  const sink = await startSmtpSink();
  ends.push(sink.stop);
  await mailboxes(HANGING, "hang.test", { smtp: hole.port });
  await mailboxes(5, "good.test", { smtp: sink.port });
  const asLive = { ...live.app, call: live.app.live };
  const { id } = await makeCampaign(asLive);
  const people = Array.from({ length: HANGING + 40 }, (_, n) => ({
    email: `lead${n}@c${n}.example`,
    first_name: "Bob",
  }));
  await live.call("POST", `/campaigns/${id}/leads`, { leads: people });
  await live.call("PATCH", `/campaigns/${id}`, { max_leads_per_day: 1_000 });
  expect((await live.call("POST", `/campaigns/${id}/start`)).status).toBe(200);
  const worker = sendWorker(live.env);

  await stepUntilQuiet(worker, () => hole.connections() + sink.bodies.length);

  expect(hole.connections()).toBe(64);
  expect(sink.bodies).toHaveLength(5);
  // What hangs is cut when the test ends.
  ends.push(() => worker.settled?.());
});

test("300 mailboxes whose server hangs leave slots to read those of another server", async () => {
  const hole = await blackHole();
  let polled = 0;
  const other = await startLoopback((socket) => {
    polled += 1;
    socket.end("* BYE not today\r\n");
  });
  ends.push(other.stop);
  await mailboxes(300, "hang.test", { smtp: 1, imap: hole.port });
  await mailboxes(5, "good.test", { smtp: 1, imap: other.port });
  const worker = inboxWorker(live.env);

  await stepUntilQuiet(worker, () => hole.connections() + polled);

  expect(hole.connections()).toBe(16);
  expect(polled).toBe(5);
  ends.push(() => worker.settled?.());
});

test("a team whose mailboxes hang at several servers leaves slots to read those of another team", async () => {
  const hole = await blackHole();
  let polled = 0;
  const other = await startLoopback((socket) => {
    polled += 1;
    socket.end("* BYE not today\r\n");
  });
  ends.push(other.stop);
  await mailboxes(20, "hang.test", { smtp: 1, imap: hole.port });
  await mailboxes(20, "hang2.test", { smtp: 1, imap: hole.port });
  const { team } = await live.app.addTeam("Globex");
  await mailboxes(5, "good.test", { smtp: 1, imap: other.port }, team.id);
  const worker = inboxWorker(live.env);

  await stepUntilQuiet(worker, () => hole.connections() + polled);

  expect([hole.connections(), polled]).toEqual([24, 5]);
  ends.push(() => worker.settled?.());
});
