/**
 * A second thread of this program for dear questions: one Worker, which the first question starts and which
 * ends when there has been none for a while. Questions and answers cross as data. Several are worked on in
 * turn, a slice of each, so that a quick one does not wait for a long one.
 *
 * Both sides are here: {@link createSideThread} asks, {@link answerQuestions} runs in the Worker.
 */

import { type MessagePort, Worker } from "node:worker_threads";
import { Problem } from "#domain/problem.ts";
import { stackOf } from "#domain/thrown.ts";
import { stopwatch } from "./clock.ts";
import type { Log } from "./log.ts";
import { sideThreadPath } from "./self.ts";
import { createShares } from "./shares.ts";

/** Questions that the thread works on at once: each holds connections and memory of its own. */
const OPEN_MAX = 8;
const IDLE_MS_MAX = 30_000;
/** Between two looks whether others have asked, or whoever asked has gone. */
const SLICE_MS_MAX = 10;

/**
 * An answer that is worked out in steps of about a millisecond: the generator yields between two. A step that
 * yields a promise is over when the promise is.
 */
export type Steps<Result> = Generator<unknown, Result, void>;

/** Teams share the questions that are worked on at once. */
export interface Asker {
  teamId: string;
  signal?: AbortSignal | undefined;
}

export interface SideThread {
  /**
   * The answer. Rejects with a {@link Problem}: what the answer threw, or `unavailable` where the signal has
   * said that nobody listens or the thread has died.
   */
  ask(question: unknown, from?: Asker): Promise<unknown>;
  /** Ends it; whoever waits is told `unavailable`. Another question starts it anew. */
  stop(): Promise<void>;
}

type Request = { id: number; question: unknown } | { cancel: number };
type Answer =
  | { id: number; value: unknown }
  | { id: number; problem: Pick<Problem, "type" | "message" | "field" | "headers"> }
  | { id: number; fault: string };

interface Open {
  id: number;
  teamId: string;
  question: unknown;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
  /** Gives its place back, once it has one. */
  release?: () => void;
}

/** When no further question may be begun, until those under way have been answered. */
export interface Pause {
  isWanted(): boolean;
  /** Nothing is under way. Resolves when it is over: no longer wanted. */
  begun(): Promise<void>;
}

/** `setup`: what the thread is told at its start. */
export function createSideThread(setup: object, log: Log, pause: Pause): SideThread {
  const waiting: Open[] = [];
  const open = new Map<number, Open>();
  const shares = createShares({ all: OPEN_MAX });
  let worker: Worker | undefined;
  const mayBegin = gateOf(pause, () => next());
  let isTimed = false;
  let last = 0;

  const stop = async (): Promise<void> => {
    const ended = worker;
    worker = undefined;
    for (const { reject, release } of [...open.values(), ...waiting.splice(0)]) {
      release?.();
      reject(died());
    }
    open.clear();
    await ended?.terminate();
  };
  const start = (): Worker => {
    const started = new Worker(sideThreadPath(), { workerData: setup });
    started.on("message", (answer: Answer) => {
      settle(open.get(answer.id), answer);
      leave(answer.id);
    });
    started.on("error", (error) => log.error("the side thread failed", { cause: stackOf(error) }));
    started.on("exit", () => {
      if (worker === started) {
        log.error("the side thread has died: the next question starts it anew");
        void stop();
      }
    });
    return started;
  };
  const endWhenIdle = () => {
    if (isTimed) {
      return;
    }
    isTimed = true;
    const asked = last;
    AbortSignal.timeout(IDLE_MS_MAX).addEventListener("abort", () => {
      isTimed = false;
      if (open.size === 0) {
        void (asked === last ? stop() : endWhenIdle());
      }
    });
  };
  const next = () => {
    if (!mayBegin(open.size)) {
      return;
    }
    for (const one of [...waiting]) {
      const release = shares.take(one);
      if (release !== undefined) {
        waiting.splice(waiting.indexOf(one), 1);
        open.set(one.id, { ...one, release });
        worker ??= start();
        worker.postMessage({ id: one.id, question: one.question } satisfies Request);
      }
    }
    if (open.size === 0) {
      endWhenIdle();
    }
  };
  const leave = (id: number) => {
    open.get(id)?.release?.();
    open.delete(id);
    next();
  };

  return {
    stop,
    ask: (question, { teamId, signal } = { teamId: "" }) => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      last += 1;
      const one = { id: last, teamId, question, resolve, reject };
      const hangUp = () => {
        reject(gone());
        if (open.has(one.id)) {
          worker?.postMessage({ cancel: one.id } satisfies Request);
          leave(one.id);
        } else if (waiting.includes(one)) {
          waiting.splice(waiting.indexOf(one), 1);
        }
      };
      signal?.addEventListener("abort", hangUp, { once: true });
      waiting.push(one);
      next();
      return promise.finally(() => signal?.removeEventListener("abort", hangUp));
    },
  };
}

/** Whether a question may be begun while so many are under way; `resume` is called when a pause is over. */
function gateOf(pause: Pause, resume: () => void): (underWay: number) => boolean {
  let isPausing = false;
  return (underWay) => {
    if (!isPausing && underWay === 0 && pause.isWanted()) {
      isPausing = true;
      void pause.begun().finally(() => {
        isPausing = false;
        resume();
      });
    }
    return !isPausing && !pause.isWanted();
  };
}

/** Whoever asked has closed the connection. */
export function gone(): Problem {
  return new Problem("unavailable", "the connection was closed before the response was ready");
}

function died(): Problem {
  const words = "the work was interrupted; try again";
  return new Problem("unavailable", words, null, { "Retry-After": "1" });
}

function settle(one: Open | undefined, answer: Answer): void {
  if ("value" in answer) {
    one?.resolve(answer.value);
  } else if ("problem" in answer) {
    const { type, message, field, headers } = answer.problem;
    one?.reject(new Problem(type, message, field, headers));
  } else {
    one?.reject(new Error(answer.fault));
  }
}

/** The Worker's side: `begin` starts to answer a question, and `release` is called when that is over. */
export function answerQuestions(
  port: MessagePort,
  begin: (question: unknown) => { steps: Steps<unknown>; release: () => void },
): void {
  const unheard = new Set<number>();
  const answer = async (id: number, question: unknown): Promise<Answer | null> => {
    const { steps, release } = begin(question);
    try {
      for (;;) {
        const step = slice(steps, { ms: SLICE_MS_MAX });
        if (step.done === true) {
          return { id, value: step.value };
        }
        await step.value;
        await new Promise((resolve) => setImmediate(resolve));
        if (unheard.delete(id)) {
          return null;
        }
      }
    } finally {
      // What a step holds is let go of, also where nobody has heard the end.
      steps.return(undefined);
      release();
    }
  };
  port.on("message", async (request: Request) => {
    if ("cancel" in request) {
      unheard.add(request.cancel);
      return;
    }
    const { id, question } = request;
    const given = await answer(id, question).catch((error: unknown) => failure(id, error));
    unheard.delete(id);
    if (given !== null) {
      port.postMessage(given);
    }
  });
}

function failure(id: number, error: unknown): Answer {
  if (error instanceof Problem) {
    const { type, message, field, headers } = error;
    return { id, problem: { type, message, field, headers } };
  }
  return { id, fault: stackOf(error) };
}

/** Runs until a bound is met, or until the end; the last step that was taken. A step is never divided. */
export function slice<Result>(
  steps: Steps<Result>,
  { ms, count = Number.POSITIVE_INFINITY }: { ms: number; count?: number },
): IteratorResult<unknown, Result> {
  const elapsed = stopwatch();
  for (let taken = 1; ; taken += 1) {
    const step = steps.next();
    const isOver = step.done === true || step.value instanceof Promise;
    if (isOver || taken >= count || elapsed() >= ms) {
      return step;
    }
  }
}

/** Runs to the end on this thread, and waits for steps that have to be waited for. */
export async function drive<Result>(steps: Steps<Result>): Promise<Result> {
  try {
    for (;;) {
      const step = slice(steps, { ms: SLICE_MS_MAX });
      if (step.done === true) {
        return step.value;
      }
      await step.value;
    }
  } finally {
    steps.return(undefined as Result);
  }
}
