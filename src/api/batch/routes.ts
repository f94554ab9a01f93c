/**
 * `POST /batch`: several requests as one, in one transaction, with one Idempotency-Key. Each is checked as if it
 * had come alone, and counts as much.
 */

import type { Static } from "@sinclair/typebox";
import type { AnyElysia } from "elysia";
import { type Answer, DryRunQuery, resource } from "#api/context.ts";
import { ANY_SCOPE } from "#api/plugins/routes.ts";
import { act, type WriteContext } from "#api/write.ts";
import { invalid, Problem } from "#domain/problem.ts";
import { threadCpuMs } from "#platform/turns.ts";
import { savepoint } from "#store/sqlite/transaction.ts";
import { dispatch, Refused } from "./dispatch.ts";
import { filledBody, filledPath, type Known } from "./references.ts";
import { BATCH_BYTES_MAX, Batch, BatchOutcome, LEADS_MAX } from "./schema.ts";

type Asked = Static<typeof Batch>;
type Operation = Asked["operations"][number];
type Result = Static<typeof BatchOutcome>["results"][number];

/**
 * Processor time after which no other operation is begun: everybody else waits meanwhile. Eleven operations take
 * 6 ms, and 45 ms as the first after a start, when their code is compiled.
 */
const CPU_MS_MAX = 120;

/** What an operation may be refused with, beside what any request that writes may. */
const REFUSED_WITH = [402, 404, 405, 412];

/** Nobody reads the types of its routes, which are deep. */
const untyped: AnyElysia = resource("team", "/batch", "batch");

export const batchRoutes: AnyElysia = untyped.post(
  "",
  async (given) => {
    const context = given as unknown as WriteContext & { body: Asked };
    const { body, state } = context;
    checkSize(body, state.rawBody);
    state.charge(body.operations.length - 1);
    return await act(context, () => runBatch(context, body));
  },
  {
    body: Batch,
    response: { 200: BatchOutcome },
    detail: {
      ...{ "x-query": DryRunQuery, "x-dry-run": true, "x-scope": ANY_SCOPE },
      "x-errors": REFUSED_WITH,
      summary: "Run a batch",
      description:
        "Carries out up to 100 requests in order, in one transaction: all of them or, when one is refused, " +
        "none. The error then names the operation, as in `operations.3.body.email`. Every operation that " +
        "takes `dry_run` can be in a batch, as can adding leads (500 in all), creating or updating leads, " +
        "and reading a single lead, account, webhook, suppression or step. Each needs its own scope and " +
        "counts as a request. Send it with one `Idempotency-Key`, and `dry_run` to try it.",
    },
  },
);

/** Throws naming what is too much. */
function checkSize({ operations }: Asked, raw: string): void {
  if (raw.length > BATCH_BYTES_MAX) {
    throw new Problem("payload_too_large", `a batch may have ${BATCH_BYTES_MAX} characters`);
  }
  let leads = 0;
  for (const [at, { body }] of operations.entries()) {
    const { leads: given } = Object(body) as { leads?: unknown };
    leads += Array.isArray(given) ? given.length : 0;
    if (leads > LEADS_MAX) {
      const message = `a batch may have ${LEADS_MAX} leads in all; send more of them alone`;
      throw invalid(`operations.${at}.body.leads`, message);
    }
  }
  const names = operations.map(({ ref }) => ref);
  const repeated = names.findIndex((name, at) => name !== undefined && names.indexOf(name) < at);
  if (repeated !== -1) {
    throw invalid(`operations.${repeated}.ref`, "is the name of an earlier operation");
  }
}

/** Inside a commit. Throws what the first operation throws that is refused, if all are undone with it. */
function runBatch(context: WriteContext, { operations, atomic = true }: Asked) {
  const names = new Set(operations.flatMap(({ ref }) => ref ?? []));
  const responses = new Map<string, unknown>();
  const results: Result[] = [];
  const begun = threadCpuMs();
  let failed = 0;
  for (const [at, operation] of operations.entries()) {
    if (threadCpuMs() - begun > CPU_MS_MAX) {
      throw tooLong(at, operations.length);
    }
    const { ref = null } = operation;
    const work = () => run(context, operation, { names, responses });
    const done = atomic ? whole(work, at) : alone(context, work, at);
    const { status, headers, body } = done;
    results.push({ ref, status, headers, body: body ?? null });
    failed += Number(done.isRefused);
    if (ref !== null) {
      responses.set(ref, done.isRefused ? undefined : body);
    }
  }
  return { failed, results };
}

type Done = Answer & { isRefused: boolean };

/** Throws what the whole batch is refused with. */
function whole(work: () => Answer, at: number): Done {
  try {
    return { ...work(), isRefused: false };
  } catch (error) {
    throw error instanceof Refused ? located(error, at) : error;
  }
}

/** What was written is undone where it is refused. */
function alone({ env, state }: WriteContext, work: () => Answer, at: number): Done {
  try {
    return { ...savepoint(env.db, work), isRefused: false };
  } catch (error) {
    if (!(error instanceof Refused && error.error instanceof Problem)) {
      throw error instanceof Refused ? located(error, at) : error;
    }
    const { status, body } = state.server.refusal(error.error, state.requestId);
    return { status, body, headers: {}, isRefused: true };
  }
}

/** Throws {@link Refused}. */
function run(context: WriteContext, operation: Operation, known: Known): Answer {
  const { method, path, body, if_match: ifMatch = null } = operation;
  const filled = references(() => ({
    path: filledPath(path, known),
    body: filledBody(body, known),
  }));
  return dispatch(context, { method, ifMatch, ...filled });
}

/** Their problems name the place by themselves. */
function references<Result>(fill: () => Result): Result {
  try {
    return fill();
  } catch (error) {
    throw new Refused(error, null);
  }
}

/** The problem of an operation as that of the batch. */
function located({ error, part }: Refused, at: number): unknown {
  if (!(error instanceof Problem)) {
    return error;
  }
  const place = (field: string | null): string => {
    const within = part === "body" ? `body.${field}` : (part ?? field);
    return field === null ? `operations.${at}` : `operations.${at}.${within}`;
  };
  const faults = error.faults.map((fault) => ({ ...fault, field: place(fault.field) }));
  return new Problem(error.type, error.message, place(error.field), error.headers, faults);
}

function tooLong(done: number, of: number): Problem {
  const message = `takes too long for one transaction: ${done} of ${of} operations were done in time, and all are undone; send them as several batches`;
  return new Problem("payload_too_large", message, "operations");
}
