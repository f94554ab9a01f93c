/**
 * What is made once is there once: two requests with one Idempotency-Key have made the same, nothing is there
 * more often than it was asked for, and whatever a server answers isn't a bug of its own.
 */

import {
  type Entry,
  type Finding,
  isUndone,
  type Request,
  requestsOf,
  restoresOf,
} from "./history.ts";

export function checkMade(entries: readonly Entry[]): Finding[] {
  const requests = requestsOf(entries);
  const restores = restoresOf(entries);
  const makers = Map.groupBy(
    requests.filter(({ makes, outcome }) => makes !== undefined && outcome !== "refused"),
    ({ makes }) => makes?.name ?? "",
  );
  const found: Finding[] = [...makers].flatMap(([name, tries]) => sameKey(name, tries, restores));
  for (const request of requests) {
    if (request.status === 500) {
      found.push({ kind: "server_error", on: request.what, says: `at ${request.from}` });
    }
    for (const [name, ids] of Object.entries(request.listed ?? {})) {
      const tries = (makers.get(name) ?? []).filter(({ from }) => from < (request.to ?? Infinity));
      if (new Set(ids).size > allowed(tries)) {
        const says = `${ids.length} by ${tries.length} requests, ${allowed(tries)} expected at most`;
        found.push({ kind: "made_twice", on: name, says });
      }
    }
  }
  return found;
}

/** One for each key, and one for each request without. */
function allowed(tries: readonly Request[]): number {
  const keys = new Set(tries.flatMap(({ makes }) => makes?.key ?? []));
  return keys.size + tries.filter(({ makes }) => makes?.key === null).length;
}

/** A restore that took away what was made lets its key make it anew. */
function sameKey(
  name: string,
  tries: readonly Request[],
  restores: ReturnType<typeof restoresOf>,
): Finding[] {
  const found: Finding[] = [];
  const keyed = Map.groupBy(
    tries.filter(({ makes, outcome }) => makes?.key != null && outcome === "ok"),
    ({ makes }) => makes?.key ?? "",
  );
  for (const [key, done] of keyed) {
    const [first, ...later] = done.toSorted((a, b) => a.from - b.from);
    for (const one of later) {
      const isAnew = isUndone(restores, first?.to ?? 0, one.from);
      if (first !== undefined && one.makes?.id !== first.makes?.id && !isAnew) {
        const says = `key ${key} made ${first.makes?.id} and ${one.makes?.id}`;
        found.push({ kind: "made_twice", on: name, says });
      }
    }
  }
  return found;
}
