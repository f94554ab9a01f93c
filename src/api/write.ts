/**
 * How a route changes something: one synchronous closure in one transaction, its answer sent after the
 * commit, and with an `Idempotency-Key` kept in the same transaction, so that a repeated request gets
 * the first answer and is not done twice.
 *
 * Source: draft-ietf-httpapi-idempotency-key-header; the table of statuses is ours.
 */

import type { TObject } from "@sinclair/typebox";
import { Problem } from "#domain/problem.ts";
import { HOUR_MS } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { dropResponse, findResponse, insertResponse } from "#store/events/idempotency.ts";
import { rowsOfTeam } from "#store/sqlite/laid-over.ts";
import type { IdempotencyRow } from "#store/tables/teams.ts";
import { responseContext } from "#usecases/team/secrets.ts";
import type { Answer, RequestState } from "./context.ts";
import { checkMatch, etagOf } from "./etag.ts";
import { idempotencyConflict, idempotencyKey } from "./idempotency-key.ts";
import { checkIdentity } from "./patch.ts";

export const ANSWER_KEPT_MS = 24 * HOUR_MS;

/** The part of a handler's context that a write needs. */
export interface WriteContext {
  env: Environment;
  caller: Caller;
  state: RequestState;
  request: Request;
  set: { status?: number | string; headers: Record<string, string | number> };
}

/** Runs `change` in a transaction and answers 201 with `Location`. */
export function create<Body>(
  context: WriteContext,
  change: () => Body,
  location: (body: Body) => string,
): Promise<Body> {
  return perform(context, change, (body) => ({
    status: 201,
    body,
    headers: { Location: `/api/v1${location(body)}` },
  }));
}

/** Like {@link create}, but 200 where the record was there already. */
export function ensure<Body>(
  context: WriteContext,
  change: () => { body: Body; created: boolean },
  location: (body: Body) => string,
): Promise<Body> {
  const made = perform<unknown>(
    context,
    () => change(),
    (result) => {
      const { body, created } = result as { body: Body; created: boolean };
      const headers = { Location: `/api/v1${location(body)}` };
      return { status: created ? 201 : 200, body, headers };
    },
  );
  return made as Promise<Body>;
}

/** Runs `change` in a transaction and answers 200. */
export function act<Body>(context: WriteContext, change: () => Body): Promise<Body> {
  return perform(context, change, (body) => ({ status: 200, body, headers: {} }));
}

/**
 * Like {@link act}, for the record that `shown` finds: refused unless it is the one that the request means.
 * Returns with the ETag that covers `writable`.
 */
export function patch<Before extends object, Body extends object>(
  context: WriteContext,
  writable: TObject,
  shown: () => Before,
  change: (before: Before) => Body,
): Promise<Body> {
  return perform(
    context,
    () => {
      const before = shown();
      checkIdentity(context.state, before as Readonly<Record<string, unknown>>);
      checkMatch(context.request, before, writable);
      return change(before);
    },
    (body) => ({ status: 200, body, headers: { ETag: etagOf(body, writable) } }),
  );
}

/** Runs `change` in a transaction and answers 204 without a body. */
export async function remove(context: WriteContext, change: () => void): Promise<Response> {
  await perform(context, change, () => ({ status: 204, body: null, headers: {} }));
  const headers = context.state.isDryRun ? DRY_RUN_HEADERS : {};
  return new Response(null, { status: 204, headers });
}

const DRY_RUN_HEADERS = { "Dry-Run": "true" };

/** Carries what a change has returned out of its transaction, which is undone. */
class Undone extends Error {
  readonly result: unknown;

  constructor(result: unknown) {
    super("undone");
    this.result = result;
  }
}

/**
 * What `change` returns or throws, and nothing of it stays: its events, deliveries and audit entries are
 * rows of the same transaction. A worker or stream that it wakes finds nothing new.
 */
async function tryOut<Result>(
  { env, caller, state: { tried } }: WriteContext,
  change: () => Result,
): Promise<Result> {
  try {
    return await env.commit(() => {
      const result = change();
      if (tried !== undefined) {
        tried.rows = rowsOfTeam(env.db, caller.teamId);
      }
      throw new Undone(result);
    });
  } catch (error) {
    if (error instanceof Undone) {
      return error.result as Result;
    }
    throw error;
  }
}

/** Like {@link remove}, where `run` commits what it must by itself. */
export async function removeLater(
  { state }: WriteContext,
  run: () => Promise<void>,
): Promise<Response> {
  state.disableIdleTimeout();
  await run();
  return new Response(null, { status: 204 });
}

/**
 * An action that waits for the network or for the sandbox's clock: `run` commits what it must by itself;
 * its answer is kept afterwards, so a repeat during a crash does it again.
 */
export function actLater<Body>(context: WriteContext, run: () => Promise<Body>): Promise<Body> {
  return performLater(context, run, (body) => ({ status: 200, body, headers: {} }));
}

/**
 * Like {@link actLater}, of a body that is read as it arrives, and answers 201 with `Location`. `isOf` says of a
 * repeated request whether it sends what the first answer is about.
 */
export function createLater<Body>(
  context: WriteContext,
  run: () => Promise<Body>,
  location: (body: Body) => string,
  isOf: (first: Body) => Promise<boolean>,
): Promise<Body> {
  const answer = (body: Body) => {
    return { status: 201, body, headers: { Location: `/api/v1${location(body)}` } };
  };
  return performLater(context, run, answer, isOf);
}

async function performLater<Body>(
  context: WriteContext,
  run: () => Promise<Body>,
  answer: (body: Body) => Answer,
  isOf: (first: Body) => Promise<boolean> = async () => true,
): Promise<Body> {
  const repeat = claimRepeat(context);
  if (repeat?.kept !== undefined) {
    if (!(await isOf(repeat.kept.body as Body))) {
      throw idempotencyConflict("Idempotency-Key");
    }
    return replay(context, repeat.kept) as Body;
  }
  try {
    const body = await run();
    const made = answer(body);
    if (repeat !== undefined) {
      await context.env.commit(() => keep(context, repeat, made));
    }
    context.set.status = made.status;
    Object.assign(context.set.headers, made.headers);
    return body;
  } finally {
    if (repeat !== undefined) {
      underWay.delete(repeat.slot);
    }
  }
}

async function perform<Body>(
  context: WriteContext,
  change: () => Body,
  answer: (body: Body) => Answer,
): Promise<Body> {
  const { within } = context.state;
  if (within !== undefined) {
    return within(() => answer(change())).body as Body;
  }
  if (context.state.isDryRun) {
    // Nothing is kept under it, and what the real request refuses is refused here too.
    idempotencyKey(context.request);
    const tried = await tryOut(context, () => answer(change()));
    context.set.status = tried.status;
    Object.assign(context.set.headers, tried.headers, DRY_RUN_HEADERS);
    return tried.body as Body;
  }
  const repeat = context.request.method === "POST" ? claimRepeat(context) : undefined;
  if (repeat?.kept !== undefined) {
    return replay(context, repeat.kept) as Body;
  }
  try {
    const made = await context.env.commit(() => {
      const result = answer(change());
      if (repeat !== undefined) {
        keep(context, repeat, result);
      }
      return result;
    });
    context.set.status = made.status;
    Object.assign(context.set.headers, made.headers);
    return made.body as Body;
  } finally {
    if (repeat !== undefined) {
      underWay.delete(repeat.slot);
    }
  }
}

interface Repeat {
  key: string;
  slot: string;
  fingerprint: Uint8Array;
  kept: Answer | undefined;
}

/** Requests with an Idempotency-Key that are being carried out now, by environment, team and key. */
const underWay = new Set<string>();

function claimRepeat({ env, caller, request, state }: WriteContext): Repeat | undefined {
  const key = idempotencyKey(request);
  if (key === null) {
    return undefined;
  }
  const { pathname, search } = new URL(request.url);
  // Keyed, because a body may hold a password.
  const asked = `${request.method} ${pathname}${search}\n${state.rawBody}`;
  const fingerprint = env.vault.digest(asked);
  const slot = `${env.name} ${caller.teamId} ${key}`;
  const row = findResponse(env.db, caller.teamId, key);
  const kept = row === undefined ? undefined : readKept(env, row, asked);
  if (kept === undefined) {
    if (underWay.has(slot)) {
      throw new Problem(
        "conflict",
        "the first request with this Idempotency-Key is still running; try again when it's done",
        "Idempotency-Key",
        { "Retry-After": "1" },
      );
    }
    underWay.add(slot);
  }
  return { key, slot, fingerprint, kept };
}

function readKept(env: Environment, row: IdempotencyRow, asked: string): Answer | undefined {
  if (row.createdAt <= env.wall.now() - ANSWER_KEPT_MS) {
    return undefined;
  }
  if (!env.vault.recognises(asked, row.fingerprint)) {
    throw idempotencyConflict("Idempotency-Key");
  }
  return JSON.parse(env.vault.open(row.answer, responseContext(row.teamId, row.key))) as Answer;
}

function keep({ env, caller }: WriteContext, repeat: Repeat, answer: Answer): void {
  dropResponse(env.db, caller.teamId, repeat.key);
  insertResponse(env.db, {
    teamId: caller.teamId,
    key: repeat.key,
    fingerprint: repeat.fingerprint,
    status: answer.status,
    answer: env.vault.seal(JSON.stringify(answer), responseContext(caller.teamId, repeat.key)),
    createdAt: env.wall.now(),
  });
}

function replay({ set }: WriteContext, answer: Answer): unknown {
  set.status = answer.status;
  Object.assign(set.headers, answer.headers, { "Idempotent-Replayed": "true" });
  return answer.body;
}
