/**
 * Whether a history of overlapping operations has an order in which a model allows all of them: one that puts
 * no operation before another that had ended when it began. An operation of which nobody knows whether it
 * happened may be left out.
 *
 * **Source:** linearizability, Herlihy and Wing, "Linearizability: a correctness condition for concurrent
 * objects" (1990); the search, Wing and Gong, "Testing and verifying concurrent objects" (1993); remembering
 * what was tried, Lowe, "Testing for linearizability" (2017), which Knossos and Porcupine do as well.
 */

export interface Operation<Action> {
  action: Action;
  from: number;
  /** The last instant at which it can have happened. */
  to: number;
  /** It may not have happened. */
  isOptional: boolean;
}

export interface Model<Action> {
  /** The state after an action, or undefined where it isn't allowed. States are compared as text. */
  step: (state: string, action: Action) => string | undefined;
  /** Whether an action changes nothing, wherever it is allowed. */
  isRead: (action: Action) => boolean;
}

export type Verdict = "linear" | "not linear" | "undecided";

const TRIES_MAX = 400_000;

export function checkLinear<Action>(
  operations: readonly Operation<Action>[],
  initial: string,
  model: Model<Action>,
): Verdict {
  const sorted = operations.toSorted((a, b) => a.from - b.from);
  const seen = new Set<string>();
  const search = { sorted, model, seen };
  const stack: Place[] = [{ first: 0, done: new Set(), state: initial, at: -Infinity }];
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const place = stack.pop();
    if (place === undefined) {
      return "not linear";
    }
    if (isEnd(search, place)) {
      return "linear";
    }
    stack.push(...nextPlaces(search, place).reverse());
  }
  return "undecided";
}

interface Search<Action> {
  sorted: readonly Operation<Action>[];
  model: Model<Action>;
  seen: Set<string>;
}

/** All operations before `first` are done or left out, and so are those in `done`. */
interface Place {
  first: number;
  done: ReadonlySet<number>;
  state: string;
  /** The latest beginning of those that are done: nothing that ended earlier can follow. */
  at: number;
}

function isEnd<Action>({ sorted }: Search<Action>, { first, done }: Place): boolean {
  for (let n = first; n < sorted.length; n += 1) {
    if (!done.has(n) && sorted[n]?.isOptional === false) {
      return false;
    }
  }
  return true;
}

function nextPlaces<Action>(search: Search<Action>, place: Place): Place[] {
  const { sorted, model, seen } = search;
  const { first, done, state, at } = place;
  const end = endOf(search, place);
  const left: number[] = [];
  for (let n = first; n < sorted.length && (sorted[n]?.from ?? 0) <= end; n += 1) {
    if (!done.has(n) && (sorted[n]?.to ?? 0) >= at) {
      left.push(n);
    }
  }
  const places: Place[] = [];
  for (const n of left) {
    const one = sorted[n] as Operation<Action>;
    const next = model.step(state, one.action);
    if (next === undefined) {
      continue;
    }
    const moved = advanced(sorted, { ...place, state: next, at: Math.max(at, one.from) }, n);
    // A read that must happen, may now, and excludes nobody may as well be first.
    const excludes = left.some((other) => (sorted[other]?.to ?? 0) < moved.at);
    if (model.isRead(one.action) && next === state && !one.isOptional && !excludes) {
      return isNew(seen, moved) ? [moved] : [];
    }
    places.push(moved);
  }
  return places.filter((moved) => isNew(seen, moved));
}

/** Whoever is next began before any that is left and must happen had ended. */
function endOf<Action>({ sorted }: Search<Action>, { first, done }: Place): number {
  let end = Number.POSITIVE_INFINITY;
  for (let n = first; n < sorted.length && (sorted[n]?.from ?? 0) <= end; n += 1) {
    const one = sorted[n];
    if (one !== undefined && !done.has(n) && !one.isOptional) {
      end = Math.min(end, one.to);
    }
  }
  return end;
}

function isNew(seen: Set<string>, { first, done, state, at }: Place): boolean {
  const name = `${first}|${[...done].sort((a, b) => a - b)}|${at}|${state}`;
  const size = seen.size;
  return seen.add(name).size > size;
}

function advanced<Action>(
  sorted: readonly Operation<Action>[],
  place: Place,
  taken: number,
): Place {
  const done = new Set(place.done).add(taken);
  let { first } = place;
  for (; first < sorted.length; first += 1) {
    const one = sorted[first];
    const isGone = one?.isOptional === true && one.to < place.at;
    if (!done.has(first) && !isGone) {
      break;
    }
    done.delete(first);
  }
  return { ...place, first, done };
}

/** The first operation to end at whose end no order is left. */
export function firstBroken<Action>(
  operations: readonly Operation<Action>[],
  initial: string,
  model: Model<Action>,
): Operation<Action> | undefined {
  const ends = operations.filter((one) => !one.isOptional).toSorted((a, b) => a.to - b.to);
  let [good, bad] = [0, ends.length];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    const until = ends[middle - 1]?.to ?? 0;
    // What began before, and ended later, may have happened or not.
    const prefix = operations
      .filter(({ from }) => from <= until)
      .map((one) => (one.to > until ? { ...one, to: Infinity, isOptional: true } : one));
    if (checkLinear(prefix, initial, model) === "linear") {
      good = middle;
    } else {
      bad = middle;
    }
  }
  return ends[bad - 1];
}
