/** What was made before and after a restart stays in its order, though the clock was set back meanwhile. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS, HOUR_MS } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { effectsOn } from "#store/inbox/effects.ts";
import { newCause } from "#usecases/events/effect-log.ts";
import { undo } from "#usecases/inbox/undo.ts";
import { matchSuppression, suppress } from "#usecases/leads/suppressions.ts";
import { createTestApp } from "../../support/app.ts";

const BOB = "bob@client.example";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "outrider-restarts-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** One life of a program that keeps its files; its clock shows `ahead` more than at the first start. */
async function live<Result>(
  ahead: number,
  work: (env: Environment) => Promise<Result>,
): Promise<Result> {
  const paths = { live: join(directory, "live.db"), test: join(directory, "test.db") };
  const app = await createTestApp({ paths, seed: 1 + ahead });
  try {
    app.wall.move(ahead);
    return await work(app.environments.live);
  } finally {
    await app.close();
  }
}

test("ids go on after the last one of the life before", async () => {
  const before = await live(2 * HOUR_MS, async (env) => {
    const caller: Caller = {
      teamId: env.ids.next(env.clock.now()),
      actor: "operator",
      scopes: [],
    };
    const email = "ann@client.example";
    const { row } = await env.commit(() => suppress(env, caller, { email, reason: "manual" }));
    return row.id;
  });
  await live(0, async (env) => {
    expect(env.ids.next(env.clock.now()) > before).toBe(true);
  });
});

test("a file whose ids are more than a year ahead does not take the time along", async () => {
  const suppressed = await live(2 * 365 * DAY_MS, async (env) => {
    const caller: Caller = {
      teamId: env.ids.next(env.clock.now()),
      actor: "operator",
      scopes: [],
    };
    const email = "ann@client.example";
    return (await env.commit(() => suppress(env, caller, { email, reason: "manual" }))).row.id;
  });
  await live(0, async (env) => {
    expect(env.ids.next(env.clock.now()) < suppressed).toBe(true);
  });
});

test("a complaint that was none frees nobody who opted out after a restart", async () => {
  const caller = { teamId: "", actor: "operator", scopes: [] } satisfies Caller;
  const { teamId, complaint } = await live(HOUR_MS, async (env) => {
    const teamId = env.ids.next(env.clock.now());
    const complaint = newCause(env);
    const input = { email: BOB, reason: "complaint" } as const;
    await env.commit(() => suppress(env, { ...caller, teamId }, input, complaint));
    return { teamId, complaint };
  });
  await live(0, async (env) => {
    const whose = { ...caller, teamId };
    await env.commit(() => suppress(env, whose, { email: BOB, reason: "unsubscribe" }));
    await env.commit(() => undo(env, whose, complaint, "it was a joke"));
    const { row } = matchSuppression(env, teamId, BOB) ?? {};
    expect(row?.reason).toBe("unsubscribe");
    expect(effectsOn(env.db, "suppression", row?.id ?? "")).toHaveLength(1);
  });
});
