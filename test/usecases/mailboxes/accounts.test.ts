/** What the engine notes of accounts, and how they come back. The clock moves only where a test says so. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type AccountStatus, isReady } from "#domain/mailboxes/account.ts";
import type { Env } from "#domain/team/api-key.ts";
import { MINUTE_MS, plus } from "#domain/time.ts";
import { type Environment, engineCaller } from "#environment.ts";
import type { TestOutcome } from "#platform/ports/mail.ts";
import { readEvents } from "#store/events/events.ts";
import { accountById, accountsToProbe, updateAccount } from "#store/mailboxes/accounts.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { recordFault } from "#usecases/mailboxes/account-faults.ts";
import {
  isPolled,
  patchAccount,
  recordAuthFailure,
  recordBackoff,
  recordSmtpError,
  recordSmtpOk,
  recoverAccount,
} from "#usecases/mailboxes/accounts.ts";
import { recordUnreadable } from "#usecases/mailboxes/polls.ts";
import { recordProbe } from "#usecases/mailboxes/probes.ts";
import { createTestApp, START, type TestApp } from "../../support/app.ts";

const UP: TestOutcome = { smtp: { ok: true, error: null }, imap: { ok: true, error: null } };
const AWAY = { ok: false, error: "connection refused" };
const DOWN: TestOutcome = { smtp: AWAY, imap: AWAY };

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

/** A mailbox of this environment that works. */
async function working(envName: Env) {
  const env = app.environments[envName];
  const { body } = await app[envName === "live" ? "live" : "call"]("POST", "/accounts", {
    email: "ann@example.com",
    provider: "google",
    smtp: { password: "p" },
  });
  const read = () => {
    const row = accountById(env.db, body.id);
    if (row === undefined) {
      throw new Error("the account is gone");
    }
    return row;
  };
  await env.commit(() => recordProbe(env, read(), UP));
  return { id: body.id as string, env, read };
}

const events = (env: Environment) =>
  readEvents(env.db, app.team.id, { after: 0, limit: 100 })
    .map(({ type }) => type)
    .filter((type) => type.startsWith("account."));

describe("SMTP errors", () => {
  test("the fifth in a row puts the account into error, with a probe in a minute", async () => {
    const { id, env, read } = await working("live");
    for (let count = 1; count <= 4; count += 1) {
      await env.commit(() => recordSmtpError(env, id, "451 later"));
      expect(read()).toMatchObject({ status: "active", consecutiveSmtpErrors: count });
    }
    await env.commit(() => recordSmtpError(env, id, `451 ${"x".repeat(600)}`));
    expect(read()).toMatchObject({
      status: "error",
      statusReason: "smtp_errors",
      consecutiveSmtpErrors: 5,
      probeAt: plus(START, MINUTE_MS),
      wakeAt: null,
    });
    expect(read().lastError).toHaveLength(500);
    expect(isPolled(read(), "live")).toBe(true);
    expect(events(env)).toEqual(["account.error"]);
    await env.commit(() => recordSmtpError(env, id, "451 later"));
    expect(events(env)).toEqual(["account.error"]);
  });

  test("a message that is accepted ends the row", async () => {
    const { id, env, read } = await working("live");
    await env.commit(() => recordSmtpError(env, id, "451 later"));
    await env.commit(() => recordSmtpOk(env, id));
    expect(read()).toMatchObject({ consecutiveSmtpErrors: 0, lastError: null });
  });

  test("probes come at 1, 5, 15, 60, 60 minutes; one that works recovers the account", async () => {
    const { id, env, read } = await working("live");
    for (let count = 0; count < 5; count += 1) {
      await env.commit(() => recordSmtpError(env, id, "451 later"));
    }
    const waits: number[] = [];
    for (let probe = 0; probe < 5; probe += 1) {
      const { probeAt } = read();
      waits.push(((probeAt ?? 0) - env.clock.now()) / MINUTE_MS);
      app.wall.set(probeAt ?? START);
      expect(
        accountsToProbe(env.db, { now: env.clock.now(), limit: 10 }).map((row) => row.id),
      ).toEqual([id]);
      await env.commit(() => recordProbe(env, read(), DOWN));
    }
    expect(waits).toEqual([1, 5, 15, 60, 60]);

    await env.commit(() => recordProbe(env, read(), { ...DOWN, smtp: UP.smtp }));

    expect(read()).toMatchObject({
      status: "active",
      statusReason: null,
      notReadyReason: null,
      consecutiveSmtpErrors: 0,
      lastError: null,
      probes: 0,
      probeAt: null,
      wakeAt: 0,
    });
    expect(events(env)).toEqual(["account.error", "account.recovered"]);
    await env.commit(() => recoverAccount(env, id));
    expect(events(env)).toHaveLength(2);
  });
});

describe("refused credentials", () => {
  test.each(["live", "test"] as const)(
    "%s: error at once, without a probe or a poll",
    async (envName) => {
      const { id, env, read } = await working(envName);
      await env.commit(() => recordAuthFailure(env, id, "535 no"));
      await env.commit(() => recordAuthFailure(env, id, "535 still no"));
      expect(read()).toMatchObject({
        status: "error",
        statusReason: "auth",
        lastError: "535 still no",
        probeAt: null,
        pollAt: null,
        wakeAt: null,
      });
      expect(isPolled(read(), envName)).toBe(false);
      expect(events(env)).toEqual(["account.error"]);
    },
  );

  test.each(["paused", "disabled"] as const)(
    "a %s account stays so, and is proven anew when it comes back",
    async (status) => {
      const { id, env, read } = await working("live");
      await app.live("PATCH", `/accounts/${id}`, { status });
      await env.commit(() => recordAuthFailure(env, id, "535 no"));
      expect(read()).toMatchObject({ status, statusReason: "manual", notReadyReason: "failed" });
      await app.live("PATCH", `/accounts/${id}`, { status: "active" });
      expect(read()).toMatchObject({
        status: "active",
        notReadyReason: "untested",
        probeAt: START,
      });
    },
  );

  test("in test the same password again is as good as new after a change of status", async () => {
    const { id, env, read } = await working("test");
    await env.commit(() => recordAuthFailure(env, id, "535 no"));
    await app.call("PATCH", `/accounts/${id}`, { status: "active" });
    expect(read()).toMatchObject({ status: "active", notReadyReason: null, pollAt: START });
  });

  test("a try that began before somebody put it to work again says nothing of now", async () => {
    const { id, env, read } = await working("test");
    const tried = read();
    await env.commit(() => recordAuthFailure(env, id, "535 no"));
    await app.advance(1);
    await app.call("PATCH", `/accounts/${id}`, { status: "active" });
    const now = env.clock.now();
    const blame = { accountId: id, fault: { kind: "auth" }, words: "535 no", now } as const;
    const away = { kind: "unreachable", reason: "535 no", login: true } as const;
    await env.commit(() => {
      recordFault(env, { ...blame, tried });
      recordUnreadable(env, tried, away, now);
    });
    expect(read()).toMatchObject({ status: "active", statusReason: null });
    expect(read().pollAt).toBeGreaterThan(now);
    await env.commit(() => recordFault(env, { ...blame, tried: read() }));
    expect(read()).toMatchObject({ status: "error", statusReason: "auth", pollAt: null });
  });
});

describe("an account that was never tried", () => {
  test("is tried by itself four times, then waits for a person", async () => {
    const { id, env, read } = await working("live");
    await app.live("PATCH", `/accounts/${id}`, { smtp: { password: "other" } });
    expect(read()).toMatchObject({ notReadyReason: "untested", probeAt: START, pollAt: null });
    let probes = 0;
    for (let due = read().probeAt; due !== null; due = read().probeAt) {
      app.wall.set(due);
      probes += 1;
      await env.commit(() => recordProbe(env, read(), DOWN));
      expect(read()).toMatchObject({ status: "active", notReadyReason: "failed" });
    }
    expect(probes).toBe(4);
    await env.commit(() => recordProbe(env, read(), UP));
    expect(read()).toMatchObject({
      notReadyReason: null,
      pollAt: env.clock.now(),
      lastError: null,
    });
  });

  test("needs both sides", async () => {
    const { id, env, read } = await working("live");
    await app.live("PATCH", `/accounts/${id}`, { smtp: { password: "other" } });
    await env.commit(() => recordProbe(env, read(), { smtp: UP.smtp, imap: AWAY }));
    expect(isReady(read(), "live")).toBe(false);
  });

  test("is not checked by a test of what it was before", async () => {
    const { id, env, read } = await working("live");
    const before = read();
    await app.live("PATCH", `/accounts/${id}`, { smtp: { password: "other" } });
    await env.commit(() => recordProbe(env, before, UP));
    expect(read().notReadyReason).toBe("untested");
  });
});

test("a rest is the longer of two, and nobody's error", async () => {
  const { id, env, read } = await working("live");
  await env.commit(() => recordBackoff(env, id, plus(START, 2 * MINUTE_MS), "454 busy"));
  await env.commit(() => recordBackoff(env, id, plus(START, MINUTE_MS), "421 4.7.0 quota"));
  expect(read()).toMatchObject({
    backoffUntil: plus(START, 2 * MINUTE_MS),
    lastError: "421 4.7.0 quota",
    status: "active",
    consecutiveSmtpErrors: 0,
  });
});

test.each([
  [null, "active", "live", true],
  ["untested", "active", "live", false],
  ["failed", "paused", "live", false],
  ["failed", "active", "test", true],
] as const)(
  "not ready because %p, %s in %s: ready is %p",
  async (notReadyReason, status, envName, ready) => {
    const row = {
      notReadyReason,
      status: status as AccountStatus,
      statusReason: null,
    } as AccountRow;
    expect(isReady(row, envName)).toBe(ready);
    expect(isPolled(row, envName)).toBe(ready);
    expect(isPolled({ ...row, status: "disabled" }, envName)).toBe(false);
  },
);

test("another mailbox is read from its own beginning, the same one goes on", async () => {
  const { id, env, read } = await working("live");
  const change = (imap: object) =>
    env.commit(() => patchAccount(env, engineCaller(app.team.id), id, { imap }));
  await env.commit(() => updateAccount(env.db, { ...read(), pollCursor: "7" }));
  await change({ port: 143, security: "starttls" });
  expect(read().pollCursor).toBe("7");
  await change({ host: "other.example" });
  expect(read().pollCursor).toBe("");
});

test("a note of an account that is gone does nothing", async () => {
  const env = app.environments.live;
  const gone = "00000000-0000-7000-8000-00000000dead";
  await env.commit(() => {
    recordSmtpOk(env, gone);
    recordSmtpError(env, gone, "x");
    recordAuthFailure(env, gone, "x");
    recordBackoff(env, gone, START, "x");
    recoverAccount(env, gone);
  });
  expect(events(app.environments.live)).toEqual([]);
});
