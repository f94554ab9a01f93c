/**
 * Turns of the event loop: who holds the one thread and for how long, and slices of work that is cut up. However
 * much of it there is, one slice runs in a turn, so that what else waits (a request, a reply of a mail server)
 * waits for one slice and not for all. Teams' slices take turns, so that one of a team waits for one of each other.
 *
 * A turn lasts from the first {@link holds} to the end of its loop iteration, with all that ran in between; it
 * is put down to whoever held most of it. Quick turns are only looked at, which costs a third of a microsecond.
 */

import { stopwatch } from "./clock.ts";

/** Shorter turns are nobody's business. */
const TURN_MS_MIN = 5;
/** A turn that holds the thread this long is told to whoever watches. */
export const LONG_TURN_MS = 150;

/** Who works in a turn. */
export interface Holder {
  /** From a bounded set: operations, workers, kinds of slices. */
  by: string;
  owner?: Owner | undefined;
}

/** Whose request it is. */
export interface Owner {
  team: string;
  /** Hears of each stretch of the thread's time that the request has had. */
  pay(ms: number): void;
}

/** The longest turns of one holder. */
export interface LongestTurn {
  ms: number;
  /** Of one that may be another: the processor time of the thread. */
  cpuMs: number;
  /** Turns of {@link LONG_TURN_MS} and more. */
  long: number;
}

type Watcher = (turn: { by: string; ms: number; cpuMs: number }) => void;

const longest = new Map<string, LongestTurn>();
let watcher: Watcher | undefined;
/** Of the turn under way; undefined between turns. */
let elapsed: (() => number) | undefined;
let cpuBefore = 0;
let current: Holder = { by: "" };
let since = 0;
let most = { by: "", ms: 0 };

/** From here on the thread works for `holder`, or what has this name, until another is given or the turn ends. */
export function holds(holder: Holder | string): void {
  const next = typeof holder === "string" ? { by: holder } : holder;
  if (elapsed === undefined) {
    elapsed = stopwatch();
    cpuBefore = cpuUs();
    since = 0;
    most = { by: "", ms: 0 };
    setImmediate(endTurn);
  } else if (current.by !== next.by || current.owner !== next.owner) {
    changeHands(elapsed());
  }
  current = next;
}

/** Whom the thread works for; undefined where nobody has said it. */
export function holding(): Holder | undefined {
  return elapsed === undefined ? undefined : current;
}

/** By holder, since the program started: only those that held the thread for {@link TURN_MS_MIN} once. */
export function longestTurns(): ReadonlyMap<string, LongestTurn> {
  return longest;
}

/** `tell` hears of every turn of {@link LONG_TURN_MS} and more. */
export function watchTurns(tell: Watcher): void {
  watcher = tell;
}

function changeHands(at: number): void {
  const ms = at - since;
  if (ms > most.ms) {
    most = { by: current.by, ms };
  }
  // What others had of the machine meanwhile is nobody's to pay; to ask for it costs more than a quick stretch.
  current.owner?.pay(ms < TURN_MS_MIN ? ms : Math.min(ms, (cpuUs() - cpuBefore) / 1000));
  since = at;
}

function endTurn(): void {
  const ms = elapsed?.() ?? 0;
  changeHands(ms);
  elapsed = undefined;
  if (ms < TURN_MS_MIN) {
    return;
  }
  const { by } = most;
  const cpuMs = (cpuUs() - cpuBefore) / 1000;
  const known = longest.get(by) ?? { ms: 0, cpuMs: 0, long: 0 };
  const isLong = ms >= LONG_TURN_MS;
  longest.set(by, {
    ms: Math.max(known.ms, ms),
    cpuMs: Math.max(known.cpuMs, cpuMs),
    long: known.long + Number(isLong),
  });
  if (isLong) {
    watcher?.({ by, ms, cpuMs });
  }
}

/** Processor time of this thread: what others had of the machine meanwhile doesn't count. */
export function threadCpuMs(): number {
  return cpuUs() / 1000;
}

function cpuUs(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

interface Waiting {
  holder: Holder | undefined;
  resolve: () => void;
}

/** Slices by team, the team whose turn is next first; "": nobody's. */
const waiting = new Map<string, Waiting[]>();

/** Resolves in a turn of the event loop that no other slice has. Of a team first come, first served. */
export function ownTurn(holder = holding()): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.size === 0) {
      setImmediate(next);
    }
    const team = holder?.owner?.team ?? "";
    const line = waiting.get(team) ?? [];
    line.push({ holder, resolve });
    waiting.set(team, line);
  });
}

function next(): void {
  const [head] = waiting;
  if (head === undefined) {
    return;
  }
  const [team, line] = head;
  const first = line.shift();
  waiting.delete(team);
  if (line.length > 0) {
    waiting.set(team, line);
  }
  if (first !== undefined) {
    holds(first.holder ?? "slice");
    first.resolve();
  }
  if (waiting.size > 0) {
    setImmediate(next);
  }
}
