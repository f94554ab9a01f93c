/** What a change would do to the emails of the next days: the future without it held against the one with it. */

import { DAY_MS, MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import type { Steps } from "#platform/side-thread.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { layOver, type TeamRows } from "#store/sqlite/laid-over.ts";
import { HORIZON_DAYS } from "./forecast.ts";
import { foretell } from "./foresight.ts";
import { type PlannedSend, project } from "./project.ts";

export interface Effect {
  /** Emails that would be sent at another minute, or from another mailbox. */
  moved: number;
  /** Emails of these days with the change only, and without it only. */
  added: number;
  removed: number;
  /** The earliest of all these, by when it is sent now, or would be if it isn't. */
  firstAt: UnixMs | null;
  /** The campaign of that email. */
  firstCampaignId: Id | null;
  until: UnixMs;
}

interface About {
  teamId: Id;
  rows: TeamRows;
}

/** `rows` are the team's as the change would leave them. Throws as {@link foretell}. */
export function effectOf(
  env: Environment,
  { teamId }: Caller,
  rows: TeamRows,
  signal?: AbortSignal,
): Promise<Effect> {
  const about: About = { teamId, rows };
  return foretell(env, {
    teamId,
    kind: "effect",
    about,
    ask: effectSteps,
    elsewhere: true,
    signal,
  });
}

export function* effectSteps(env: Environment, { teamId, rows }: About): Steps<Effect> {
  const from = env.clock.now();
  const until = plus(from, HORIZON_DAYS * DAY_MS);
  const before = yield* sendsOf(env, teamId, from, until);
  const restore = layOver(env.db, rows);
  try {
    const after = yield* sendsOf(env, teamId, from, until);
    return { ...differenceOf(before, after), until };
  } finally {
    restore();
  }
}

type Sends = Map<string, PlannedSend>;

function* sendsOf(env: Environment, teamId: Id, from: UnixMs, to: UnixMs): Steps<Sends> {
  const sends: Sends = new Map();
  for (const { send } of project(env, teamId, from, to)) {
    if (send !== null) {
      sends.set(`${send.leadId} ${send.stepId}`, send);
    }
    yield;
  }
  return sends;
}

function differenceOf(before: Sends, after: Sends): Omit<Effect, "until"> {
  const moved = [...before].filter(([key, send]) => isMoved(send, after.get(key)));
  const removed = [...before].filter(([key]) => !after.has(key));
  const added = [...after].filter(([key]) => !before.has(key));
  const all = [...moved, ...removed, ...added].map(([, send]) => send);
  const first = all.reduce<PlannedSend | null>(
    (least, send) => (least === null || send.at < least.at ? send : least),
    null,
  );
  return {
    moved: moved.length,
    added: added.length,
    removed: removed.length,
    firstAt: first?.at ?? null,
    firstCampaignId: first?.campaignId ?? null,
  };
}

function isMoved(send: PlannedSend, other: PlannedSend | undefined): boolean {
  const minuteOf = (at: UnixMs) => Math.floor(at / MINUTE_MS);
  return (
    other !== undefined &&
    (minuteOf(send.at) !== minuteOf(other.at) || send.accountId !== other.accountId)
  );
}
