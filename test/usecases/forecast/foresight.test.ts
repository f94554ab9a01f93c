/**
 * A long look ahead beside everything else: this thread is free, what is written meanwhile is in it as a
 * whole or not at all, it ends when nobody listens, and a thread that dies takes nobody along.
 */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PLAN_LIMITS } from "#domain/sending/plan.ts";
import { DAY_MS, MINUTE_MS, plus } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { silentLog } from "#platform/log.ts";
import { createSideThread } from "#platform/side-thread.ts";
import { enrollmentById } from "#store/leads/enrollments.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import { requireCampaign } from "#usecases/campaigns/campaigns.ts";
import { explainEnrollment } from "#usecases/forecast/explain-lead.ts";
import { forecastCampaign, sendingStatus } from "#usecases/forecast/forecast.ts";
import { type PlannedSend, project } from "#usecases/forecast/project.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, addLeads, makeCampaign } from "../../support/campaigns.ts";

const STEPS = [
  { type: "email", subject: "Hello", body: "Hi there" },
  { type: "email", body: "Again", wait_days: 2 },
];
const OPTIONS = { days: 31, asIfStarted: false, listed: Number.POSITIVE_INFINITY };

let dir: string;
let app: TestApp;
let env: Environment;
let id: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "outrider-foresight-"));
  app = await createTestApp({ paths: { live: join(dir, "live.db"), test: join(dir, "test.db") } });
  env = app.environments.test;
  app.environments.clock.setSpeed(0);
  for (const name of ["a", "b", "c"]) {
    await addAccount(app, `${name}@acme.example`);
  }
  ({ id } = await makeCampaign(app, STEPS));
  await addLeads(app, id, ...Array.from({ length: 600 }, (_, n) => `p${n}@quiet.example`));
  expect((await app.call("POST", `/campaigns/${id}/start`)).status).toBe(200);
});
afterAll(async () => {
  await app.close();
  rmSync(dir, { recursive: true, force: true });
});

const campaign = () =>
  requireCampaign(env, { teamId: app.team.id, actor: "engine", scopes: [] }, id);
const forecast = (signal?: AbortSignal) => forecastCampaign(env, campaign(), OPTIONS, signal);

/** All that would be sent, worked out in one go, and the number of steps that this took. */
function atOnce() {
  const from = env.clock.now();
  const to = plus(from, OPTIONS.days * DAY_MS);
  const steps = [...project(env, app.team.id, from, to)];
  return { sends: steps.flatMap(({ send }) => send ?? []), steps: steps.length };
}

/** Something else than before stands in the database. */
async function change() {
  const name = `Acme at ${env.ids.next(env.clock.now())}`;
  expect((await app.call("PATCH", "/team", { name })).status).toBe(200);
}

/** Turns of the event loop in which something else ran while `work` was under way. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  void work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    turns += 1;
  }
  return turns;
}

test("others have their turns while the other thread works, which says what this one would", async () => {
  const { sends, steps } = atOnce();
  const given = forecast();
  expect(await turnsDuring(given)).toBeGreaterThan(steps / 64);
  expect((await given).sends).toEqual(sends);
});

test("a thread that is ended in the middle is started again; whoever waited is told when to come back", async () => {
  await change();
  const asked = Promise.allSettled([forecast(), forecast()]);
  await new Promise((resolve) => setImmediate(resolve));
  await env.side?.stop();
  const [dead, next] = await asked;
  expect(dead).toMatchObject({
    status: "rejected",
    reason: { type: "unavailable", headers: { "Retry-After": "1" } },
  });
  expect(next).toMatchObject({ status: "fulfilled", value: { sends: atOnce().sends } });
});

test("a thread that dies by itself rejects what it was asked, and is reported", async () => {
  const errors: string[] = [];
  const log = { ...silentLog, error: (message: string) => void errors.push(message) };
  // It is told nothing: it dies as it starts.
  const side = createSideThread(null as never, log, {
    isWanted: () => false,
    begun: async () => {},
  });
  for (const time of ["once", "again"]) {
    const asked = side.ask({ time });
    expect(asked).rejects.toMatchObject({ type: "unavailable", headers: { "Retry-After": "1" } });
    await asked.catch(() => undefined);
  }
  expect(errors.filter((message) => message.startsWith("the side thread has died"))).toHaveLength(
    2,
  );
});

test("in a pause nothing new is begun until what is under way has been answered", async () => {
  const paths = { live: join(dir, "live.db"), test: join(dir, "test.db") };
  const setup = { paths, publicUrl: null, plans: PLAN_LIMITS, licenceKeys: [] };
  const told: string[] = [];
  let wanted = false;
  const side = createSideThread(setup, silentLog, {
    isWanted: () => wanted,
    begun: async () => {
      told.push("pause begins");
      await Bun.sleep(20);
      told.push("pause ends");
      wanted = false;
    },
  });
  const now = env.clock.now();
  const ask = async (name: string, days: number) => {
    const about = { id, days, asIfStarted: false, listed: 1 };
    await side.ask({ envName: "test", kind: "forecast", about, now, wallNow: now });
    told.push(name);
  };
  const before = ask("long", 31);
  wanted = true;
  // Shorter than what is under way: it would be answered first.
  await Promise.all([before, ask("short", 1), ask("short", 1)]);
  // Whoever asked hears of the answer a turn after the thread has told it.
  expect(told).toEqual(["pause begins", "long", "pause ends", "short", "short"]);
  await side.stop();
});

test("another team's question is begun beside twelve long ones of a team that came before", async () => {
  const told: string[] = [];
  const now = env.clock.now();
  const ask = async (teamId: string, days: number) => {
    const about = { id, days, asIfStarted: false, listed: 1 };
    const question = { envName: "test", kind: "forecast", about, now, wallNow: now };
    await env.side?.ask(question, { teamId });
    told.push(teamId);
  };
  const long = Array.from({ length: 12 }, () => ask("a", 31));
  await Promise.all([...long, ask("b", 1)]);
  // A quarter of eight are free for others from the beginning.
  expect(told.indexOf("b")).toBeLessThan(6);
});

test("what goes wrong on the other thread is told to whoever asked", async () => {
  const about = { id: id.replace(/.$/, "z"), days: 1, asIfStarted: false, listed: 1 };
  const now = env.clock.now();
  const question = { envName: "test", kind: "forecast", about, now, wallNow: now };
  expect(env.side?.ask({ ...question, kind: "nothing" })).rejects.toThrow("nobody answers");
  const gone = { ...about, id: env.ids.next(now) };
  expect(env.side?.ask({ ...question, about: gone })).rejects.toMatchObject({ type: "not_found" });
  await env.side?.ask(question).catch(() => undefined);
});

test("an answer is kept until something is written or a minute has passed", async () => {
  const [first, second] = await Promise.all([forecast(), forecast()]);
  expect(second).toBe(first);
  expect(await forecast()).toBe(first);
  app.environments.clock.advanceTo(plus(env.clock.now(), MINUTE_MS + 1));
  const later = await forecast();
  expect(later).not.toBe(first);
  await change();
  expect(await forecast()).not.toBe(later);
});

test("it ends when whoever asked has gone, and the next in line goes on", async () => {
  await change();
  const [leaver, waiter] = [new AbortController(), new AbortController()];
  const asked = [leaver.signal, waiter.signal, undefined].map(forecast);
  leaver.abort();
  waiter.abort();
  const [left, never, next] = await Promise.allSettled(asked);
  const unheard = { status: "rejected", reason: { type: "unavailable" } };
  expect([left, never]).toMatchObject([unheard, unheard]);
  expect(next).toMatchObject({ status: "fulfilled", value: { sends: atOnce().sends } });
});

test("more of one kind than can wait are refused; another kind, and another team, are not", async () => {
  await change();
  const asked = Promise.allSettled(Array.from({ length: 200 }, () => forecast()));
  expect((await sendingStatus(env, campaign())).status).toBe("sending");
  const { keys } = await app.addTeam("Other");
  const { body } = await app.call("POST", "/campaigns", { name: "Theirs" }, { key: keys.test });
  const path = `/campaigns/${body.id}/forecast?days=31`;
  expect((await app.call("GET", path, undefined, { key: keys.test })).status).toBe(200);
  const answers = (await asked).map((answer) =>
    answer.status === "fulfilled" ? "answered" : answer.reason.type,
  );
  const refused = Array.from({ length: 168 }, () => "rate_limit_exceeded");
  expect(answers).toEqual([...Array.from({ length: 32 }, () => "answered"), ...refused]);
});

test("explain names the instant of the forecast, however long it takes", async () => {
  const fresh = atOnce().sends.filter(({ isNew }) => isNew);
  for (const place of [0, 40, 200]) {
    const { enrollmentId, at } = fresh[place] as PlannedSend;
    const row = enrollmentById(env.db, enrollmentId) as EnrollmentRow;
    const { nextSendAt, estimated } = await explainEnrollment(env, row);
    expect([place, nextSendAt, estimated]).toEqual([place, at, false]);
  }
});

test("a forecast is of one instant, whatever is written beside it", async () => {
  const expected = atOnce().sends;
  expect(expected.length).toBeGreaterThan(1000);
  const given = forecast();
  for (const path of ["pause", "archive"]) {
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect((await app.call("POST", `/campaigns/${id}/${path}`)).status).toBe(200);
  }
  expect([expected, []]).toContainEqual((await given).sends);
  expect((await forecast()).sends).toEqual([]);
});
