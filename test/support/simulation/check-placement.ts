/** Invariants of placement runs: what was sent, what is said of it, and what the runs add up to. */

import type { Fact } from "./chronicle.ts";
import { delivered, describe, type Scene } from "./scene.ts";

/** The team's own mailboxes are nobody whom a sequence writes to. */
export function* checkSeeds({ chronicle }: Scene): Iterable<string> {
  const moves = new Map<string, Fact[]>();
  for (const fact of chronicle.facts) {
    if (fact.kind === "seeded" || fact.kind === "unseeded") {
      moves.set(fact.about, [...(moves.get(fact.about) ?? []), fact]);
    }
  }
  for (const mail of delivered(chronicle)) {
    const last = moves.get(mail.to)?.findLast(({ seq }) => seq < mail.seq);
    if (last?.kind === "seeded") {
      yield `${describe(mail)}: a seed since ${last.seq}`;
    }
  }
}

/** Each test's email goes out once, and its placement is where the server put that email. */
export function* checkTests({ chronicle, snapshot }: Scene): Iterable<string> {
  const seen = new Set<string>();
  for (const mail of chronicle.tests.filter((one) => one.delivered)) {
    if (seen.has(mail.messageId)) {
      yield `the test mail ${mail.messageId} to ${mail.to} was taken twice`;
    }
    seen.add(mail.messageId);
  }
  for (const { placement, messageId, lookAt } of snapshot.tests) {
    const put = messageId === null ? undefined : chronicle.placed.get(messageId);
    const isFound = placement !== null && placement !== "not_delivered";
    if (isFound && put?.placement !== placement) {
      yield `${messageId} is said to be in ${placement}, it is in ${put?.placement ?? "nothing"}`;
    }
    // Once nobody looks any more, what lay there all the time has been found.
    const isThere = put !== undefined && put.placement !== "not_delivered" && put.isPrompt;
    if (placement === "not_delivered" && lookAt === null && isThere) {
      yield `${messageId} is said to be nowhere, it is in ${put.placement}`;
    }
  }
}

export function* checkRuns({ snapshot }: Scene): Iterable<string> {
  for (const run of snapshot.runs) {
    const mine = snapshot.tests.filter((test) => test.run === run.id);
    const placed = (wanted: string) =>
      mine.filter(({ status, placement }) => status === "done" && placement === wanted).length;
    const open = mine.filter(({ status }) => status === "waiting" || status === "looking").length;
    const sums = {
      inbox: placed("inbox"),
      spam: placed("spam"),
      promotions: placed("promotions"),
      notDelivered: placed("not_delivered"),
      pending: open,
      failed: mine.filter(({ status }) => status === "failed").length,
    };
    for (const [name, sum] of Object.entries(sums)) {
      if (run[name as keyof typeof sums] !== sum) {
        yield `run ${run.id} counts ${run[name as keyof typeof sums]} ${name}, there are ${sum}`;
      }
    }
    const total = run.inbox + run.spam + run.promotions + run.notDelivered + run.pending;
    if (run.total !== total) {
      yield `run ${run.id} counts ${run.total} tests, there are ${total}`;
    }
    const isOver = run.status !== "pending" && run.status !== "running";
    // What was sent so late has one look more.
    const isAwaited = mine.some(({ lookAt }) => lookAt !== null && lookAt > snapshot.now);
    if (isOver === open > 0 || (!isOver && run.endsAt < snapshot.now && !isAwaited)) {
      yield `run ${run.id} is ${run.status} with ${open} open, and ends at ${run.endsAt}`;
    }
  }
}
