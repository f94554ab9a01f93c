/**
 * Events as they happen, as server-sent events. Nothing is buffered for anybody: a client is given what
 * the store holds after the last number that it was sent, a batch at a time, and only when it has taken
 * the one before. A silent line is proved by a comment now and then.
 *
 * Source: HTML Living Standard §9.2, "Server-sent events".
 */

import type { EventType } from "#domain/events/event.ts";
import { Problem } from "#domain/problem.ts";
import { isAhead, plus, SECOND_MS, type UnixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { changesAfter, lastAuditSeq } from "#store/events/audit.ts";
import { readEvents } from "#store/events/events.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { findKey } from "#store/team/keys.ts";
import { presentEvent } from "#usecases/events/deliveries.ts";
import { isUsable } from "#usecases/team/keys.ts";

/** Streams at once: of a team, and of an environment. */
export const TEAM_STREAMS_MAX = 10;
export const STREAMS_MAX = 600;
const BATCH_EVENTS = 100;
const RETRY_MS = 3_000;
/** A line is proved after this long in silence. */
const SILENCE_MS_MAX = 10 * SECOND_MS;

const streams = new WeakMap<Environment, Map<Id, number>>();

export interface StreamStart {
  after: number;
  types?: readonly EventType[];
}

/** Throws `rate_limit_exceeded` where there are too many. */
export function streamEvents(env: Environment, caller: Caller, start: StreamStart): Response {
  const leave = enterStream(env, caller.teamId);
  let after = start.after;
  // A page shows more than events tell of: it hears what sort of thing has changed.
  let changedAt = caller.role === undefined ? null : lastAuditSeq(env.db);
  let saidAt: UnixMs = env.wall.now();
  let rouse: () => void = () => undefined;
  let isOver = false;
  const stopListening = env.feed.subscribe(caller.teamId, () => rouse());
  const over = () => {
    if (!isOver) {
      isOver = true;
      stopListening();
      leave();
      rouse();
    }
  };

  /** What is to be said now; undefined while there is nothing. */
  const next = (): string | undefined => {
    const { types } = start;
    const found = readEvents(env.db, caller.teamId, {
      after,
      limit: BATCH_EVENTS,
      ...(types === undefined ? {} : { types }),
    });
    const now = env.wall.now();
    const changes = changedAt === null ? [] : changesAfter(env.db, caller.teamId, changedAt);
    if (
      found.length === 0 &&
      changes.length === 0 &&
      isAhead(plus(saidAt, SILENCE_MS_MAX), now, SILENCE_MS_MAX)
    ) {
      return undefined;
    }
    saidAt = now;
    after = found.at(-1)?.seq ?? after;
    changedAt = changes.at(-1)?.seq ?? changedAt;
    const events = found.map((event) => written(presentEvent(env, event)));
    const families = changedAt === null ? [] : familiesOf(found, changes);
    const changed = families.map((family) => `event: change\ndata: ${family}\n\n`);
    return [...events, ...changed].join("") || ":\n\n";
  };

  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        controller.enqueue(encoder.encode(`retry: ${RETRY_MS}\n\n`));
      },
      pull: async (controller) => {
        for (;;) {
          if (isOver || env.feed.isClosed || !mayStillRead(env, caller)) {
            over();
            controller.close();
            return;
          }
          const words = next();
          if (words !== undefined) {
            controller.enqueue(encoder.encode(words));
            return;
          }
          await new Promise<void>((resolve) => {
            rouse = resolve;
          });
        }
      },
      cancel: over,
    },
    { highWaterMark: 1 },
  );
  return new Response(body, {
    headers: { "Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no" },
  });
}

/** What sort of things happened and were changed: `email`, `campaign`, `step`. */
function familiesOf(events: readonly { type: string }[], changes: readonly { target: string }[]) {
  const names = [...events.map(({ type }) => type), ...changes.map(({ target }) => target)];
  return [...new Set(names.map((name) => name.split(/[.:]/)[0]))];
}

function written(event: { seq: number; type: string }): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Takes a place among the streams, until what it returns is called. Throws `rate_limit_exceeded`. */
export function enterStream(env: Environment, teamId: Id): () => void {
  const open = streams.get(env) ?? new Map<Id, number>();
  streams.set(env, open);
  const own = open.get(teamId) ?? 0;
  const all = [...open.values()].reduce((sum, count) => sum + count, 0);
  if (own >= TEAM_STREAMS_MAX || all >= STREAMS_MAX) {
    const message = `at most ${TEAM_STREAMS_MAX} event streams can be open at once; close one first`;
    throw new Problem("rate_limit_exceeded", message, null, { "Retry-After": "30" });
  }
  open.set(teamId, own + 1);
  return () => {
    const left = (open.get(teamId) ?? 1) - 1;
    if (left === 0) {
      open.delete(teamId);
    } else {
      open.set(teamId, left);
    }
  };
}

/** A key that is revoked meanwhile, or runs out, hears no more; nor does who is signed out. */
export function mayStillRead(env: Environment, { teamId, actor, isStillAllowed }: Caller): boolean {
  if (isStillAllowed !== undefined) {
    return isStillAllowed();
  }
  const [kind, id] = actor.split(":");
  if (kind !== "key" || id === undefined) {
    return true;
  }
  const row = findKey(env.db, teamId, id);
  return row !== undefined && isUsable(row, env.wall.now());
}
