/**
 * Records as registers: each request reads or writes some, and every record's history must have an order that
 * explains all of it. Backups and restores are operations of every record: one stores its state, the other
 * brings it back, and who was erased in between stays erased; suppressions are what they were. So an acknowledged write may only be missing
 * where a restore explains it.
 *
 * Clients are looked at beside it, in the plainest way: nobody sees an older value than they have seen, or
 * than they have written.
 *
 * **Source:** registers by key, as Knossos and Porcupine check them; session guarantees, Terry et al., "Session
 * guarantees for weakly consistent replicated data" (1994).
 */

import {
  type Act,
  type Entry,
  type Finding,
  type Rules,
  requestsOf,
  restoresOf,
} from "./history.ts";
import { checkLinear, firstBroken, type Model, type Operation } from "./linear.ts";

export type Action = Act | { do: "save"; name: string } | { do: "restore"; name: string };

/** What is now, and what backups have; `ANY` is what nobody has seen yet. */
interface State {
  now: string | null;
  saved: Record<string, string | null>;
}

const ANY = "\u0000any";

export const initialState = (isFound: boolean): string =>
  JSON.stringify({ now: isFound ? ANY : null, saved: {} } satisfies State);

function stepRecord(text: string, action: Action): string | undefined {
  const { now, saved } = JSON.parse(text) as State;
  const then = (next: string | null, copies = saved) =>
    JSON.stringify({ now: next, saved: copies } satisfies State);
  switch (action.do) {
    case "put": {
      const isWrong = action.was !== undefined && now !== ANY && action.was !== (now !== null);
      return isWrong ? undefined : then(action.value);
    }
    case "change":
      return now === null ? undefined : then(action.value);
    case "remove": {
      const copies = action.erases
        ? Object.fromEntries(Object.keys(saved).map((name) => [name, null]))
        : saved;
      return now === null ? undefined : then(null, copies);
    }
    case "read":
      return now === ANY || now === action.value ? then(action.value) : undefined;
    case "save":
      return then(now, { ...saved, [action.name]: now });
    case "restore":
      return then(saved[action.name] ?? null);
  }
}

export const RECORD: Model<Action> = {
  step: stepRecord,
  isRead: (action) => action.do === "read",
};

interface Said extends Operation<Action> {
  client: number;
}

export function checkRecords(
  entries: readonly Entry[],
  rules: Pick<Rules, "found" | "forgets">,
): Finding[] {
  const isKept = (on: string) => on.startsWith("suppression ") && rules.forgets !== true;
  const records = recordsOf(entries);
  const copies = copiesOf(entries);
  const restores = restoresOf(entries).map(({ restore }) => restore.from);
  return [...records].flatMap(([on, said]) => [
    ...checkOrder(on, [...said, ...(isKept(on) ? [] : copies)], initialState(rules.found(on))),
    ...(rules.found(on) ? [] : checkClients(on, said, restores)),
  ]);
}

function recordsOf(entries: readonly Entry[]): Map<string, Said[]> {
  const records = new Map<string, Said[]>();
  for (const { client, from, to, outcome, acts } of requestsOf(entries)) {
    for (const action of acts) {
      const isOptional = outcome === "unknown";
      const one = { client, action, from, to: to ?? Infinity, isOptional };
      const said = records.get(action.on) ?? [];
      said.push(one);
      records.set(action.on, said);
    }
  }
  return records;
}

/** Backups that were never put back matter to nobody. */
function copiesOf(entries: readonly Entry[]): Operation<Action>[] {
  const pairs = restoresOf(entries);
  const saves = new Set(pairs.map(({ save }) => save));
  const operation = (
    kind: "save" | "restore",
    { name, from, to }: { name: string; from: number; to: number },
  ) => ({
    action: { do: kind, name },
    ...{ from, to, isOptional: false },
  });
  return [
    ...[...saves].map((save) => operation("save", save)),
    ...pairs.map(({ restore }) => operation("restore", restore)),
  ];
}

function checkOrder(on: string, said: readonly Operation<Action>[], initial: string): Finding[] {
  const verdict = checkLinear(said, initial, RECORD);
  if (verdict === "linear") {
    return [];
  }
  if (verdict === "undecided") {
    return [{ kind: "undecided", on, says: `${said.length} operations` }];
  }
  const broken = firstBroken(said, initial, RECORD);
  const around = said
    .filter(({ from }) => from <= (broken?.to ?? 0))
    .toSorted((a, b) => a.from - b.from)
    .slice(-12)
    .map(told);
  return [{ kind: "lost_write", on, says: `${broken && told(broken)} after ${around.join("; ")}` }];
}

function told({ action, from, to, isOptional }: Operation<Action>): string {
  const { do: verb, ...rest } = action;
  const value = "value" in rest ? rest.value : "name" in rest ? rest.name : "";
  const was = "was" in rest ? ` (was there: ${rest.was})` : "";
  return `${verb} ${value}${was} ${from.toFixed(1)}–${to.toFixed(1)}${isOptional ? " unknown" : ""}`;
}

/** Of values that were written once. Between two restores, what is older by the writers' times stays older. */
function checkClients(on: string, said: readonly Said[], restores: readonly number[]): Finding[] {
  const writes = new Map<string, Said | undefined>();
  for (const one of said) {
    if (one.action.do === "put" || one.action.do === "change") {
      const { value } = one.action;
      writes.set(value, writes.has(value) ? undefined : one);
    }
  }
  const eraOf = (at: number) => restores.filter((restore) => restore <= at).length;
  const isOlder = (one: Said, other: Said) => one.to < other.from;
  const found: Finding[] = [];
  const last = new Map<string, Said>();
  for (const one of said
    .filter(({ isOptional }) => !isOptional)
    .toSorted((a, b) => a.from - b.from)) {
    const value = "value" in one.action ? one.action.value : null;
    const write = value === null ? undefined : writes.get(value);
    if (write === undefined) {
      continue;
    }
    const client = `${one.client} ${eraOf(one.from)}`;
    const before = last.get(client);
    const isRead = one.action.do === "read";
    if (isRead && before !== undefined && isOlder(write, before)) {
      const own = before.client === one.client;
      const kind = own ? "own_write_unseen" : "went_back";
      found.push({ kind, on, says: `client ${one.client}: ${told(one)} after ${told(before)}` });
    }
    if (before === undefined || !isOlder(write, before)) {
      last.set(client, write);
    }
  }
  return found;
}
