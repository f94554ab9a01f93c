/**
 * Events, as receivers were sent them: what was acknowledged is told, once and for all in the same words and
 * with a number that follows the order of what happened; nothing is told that nobody asked for.
 *
 * Promised in `docs/webhooks.md`: deliveries may repeat and overtake each other, `seq` shows which came first,
 * and an id has one body.
 */

import {
  type Delivery,
  type Entry,
  type Finding,
  isKind,
  isUndone,
  type Request,
  type Rules,
  requestsOf,
  restoresOf,
} from "./history.ts";

export function checkEvents(entries: readonly Entry[], rules: Pick<Rules, "webhooks">): Finding[] {
  const deliveries = entries.filter(isKind("delivery"));
  const told = Map.groupBy(deliveries, ({ type, subject }) => `${type} ${subject}`);
  const acknowledged = requestsOf(entries).filter(
    ({ event, outcome }) => event?.subject != null && outcome === "ok",
  );
  const restores = restoresOf(entries);
  return [
    ...lost(acknowledged, told, restores, rules),
    ...outOfOrder(acknowledged, told),
    ...changed(deliveries),
    ...phantoms(entries, deliveries),
    ...lists(requestsOf(entries), restores),
  ];
}

type Told = ReadonlyMap<string, readonly Delivery[]>;
const nameOf = ({ event }: Request) => `${event?.type} ${event?.subject}`;

function lost(
  acknowledged: readonly Request[],
  told: Told,
  restores: ReturnType<typeof restoresOf>,
  { webhooks }: Pick<Rules, "webhooks">,
): Finding[] {
  return acknowledged
    .filter(({ to }) => !isUndone(restores, to ?? 0))
    .filter((request) => !(told.get(nameOf(request)) ?? []).some(isTaken(webhooks)))
    .map((request) => {
      return { kind: "event_lost", on: nameOf(request), says: `acknowledged at ${request.to}` };
    });
}

const isTaken =
  (webhooks: readonly string[]) =>
  ({ webhook, status }: Delivery): boolean =>
    webhooks.includes(webhook) && status < 300;

/** Of two that didn't overlap, the later one has the higher number. Environments count for themselves. */
function outOfOrder(acknowledged: readonly Request[], told: Told): Finding[] {
  const found: Finding[] = [];
  for (const own of Map.groupBy(acknowledged, worldOf).values()) {
    const begun = own.toSorted((a, b) => a.from - b.from);
    const ended = own.toSorted((a, b) => (a.to ?? 0) - (b.to ?? 0));
    let [highest, next] = [0, 0];
    for (const request of begun) {
      for (; (ended[next]?.to ?? Infinity) < request.from; next += 1) {
        highest = Math.max(highest, seqOf(told, ended[next]) ?? 0);
      }
      const seq = seqOf(told, request);
      if (seq !== undefined && seq < highest) {
        const says = `${seq}, though ${highest} was acknowledged before it began`;
        found.push({ kind: "event_order", on: nameOf(request), says });
      }
    }
  }
  return found;
}

const worldOf = ({ what }: Request): string => what.split(" ")[0] ?? "";

function seqOf(told: Told, request: Request | undefined): number | undefined {
  return request && told.get(nameOf(request))?.[0]?.seq;
}

function changed(deliveries: readonly Delivery[]): Finding[] {
  const events = Map.groupBy(deliveries, ({ id }) => id);
  return [...events]
    .filter(([, same]) => new Set(same.map(({ body }) => body)).size > 1)
    .map(([on, same]) => ({ kind: "event_changed", on, says: same[0]?.type ?? "" }));
}

/** Each event has a request of its own that made it, or may have: one whose response was lost. */
function phantoms(entries: readonly Entry[], deliveries: readonly Delivery[]): Finding[] {
  const requests = requestsOf(entries).filter(({ outcome }) => outcome !== "refused");
  const found: Finding[] = [];
  const types = new Set(requests.flatMap(({ event }) => event?.type ?? []));
  for (const type of types) {
    const own = requests.filter(({ event }) => event?.type === type);
    const known = new Set(own.map(({ event }) => event?.subject));
    const maybe = own
      .filter(({ outcome }) => outcome === "unknown")
      .map(({ from }) => from)
      .toSorted((a, b) => a - b);
    const strange = firstsOf(
      deliveries.filter(
        (one) => one.type === type && one.subject !== null && !known.has(one.subject),
      ),
    );
    for (const [n, { subject, to }] of strange.entries()) {
      // The nth of those nobody knows needs n requests before it.
      if ((maybe[n] ?? Infinity) > to) {
        found.push({ kind: "event_phantom", on: `${type} ${subject}`, says: `delivered at ${to}` });
      }
    }
  }
  return [...found, ...unsent(entries, deliveries)];
}

/** An email that is said to be sent was taken by a server before. */
function unsent(entries: readonly Entry[], deliveries: readonly Delivery[]): Finding[] {
  const taken = new Map<string, number>();
  for (const { campaign, recipient, step, begun } of entries.filter(isKind("mail"))) {
    const subject = `${campaign} ${recipient} ${step}`;
    taken.set(subject, Math.min(begun, taken.get(subject) ?? Infinity));
  }
  return firstsOf(deliveries.filter((one) => one.type === "email.sent" && one.subject !== null))
    .filter(({ subject, to }) => (taken.get(subject ?? "") ?? Infinity) > to)
    .map(({ subject, to }) => {
      return { kind: "event_phantom", on: `email.sent ${subject}`, says: `delivered at ${to}` };
    });
}

function firstsOf(deliveries: readonly Delivery[]): Delivery[] {
  const firsts = new Map<string, Delivery>();
  for (const one of deliveries.toSorted((a, b) => a.to - b.to)) {
    const subject = one.subject ?? one.id;
    firsts.set(subject, firsts.get(subject) ?? one);
  }
  return [...firsts.values()];
}

/**
 * Lists of events only grow, and at their end: what was listed is in every later list that spans it, and nothing
 * appears between what somebody has read already, who would never see it. A restore explains the first.
 */
function lists(requests: readonly Request[], restores: ReturnType<typeof restoresOf>): Finding[] {
  const found: Finding[] = [];
  const pages = requests
    .flatMap(({ events, from, to }) =>
      events === undefined ? [] : [{ ...events, from, to: to ?? 0 }],
    )
    .toSorted((a, b) => a.from - b.from);
  for (const own of Map.groupBy(pages, ({ world }) => world).values()) {
    const seen = new Map<number, number>();
    const ends: { to: number; last: number }[] = [];
    for (const { after, seqs, from, to } of own) {
      const listed = new Set(seqs);
      const last = seqs.at(-1) ?? after;
      for (const [seq, at] of seen) {
        const isSpanned = seq > after && seq <= last && at < from;
        if (isSpanned && !listed.has(seq) && !isUndone(restores, at, from)) {
          const says = `was listed at ${at}, and not at ${from}`;
          found.push({ kind: "events_shrank", on: String(seq), says });
        }
      }
      const since = Math.max(
        0,
        ...restores.map(({ restore }) => restore.to).filter((at) => at <= from),
      );
      const known = ends.filter((end) => end.to < from && end.to >= since);
      const read = Math.max(0, ...known.map((end) => end.last));
      for (const seq of seqs) {
        if (seq <= read && !seen.has(seq)) {
          found.push({
            kind: "event_behind",
            on: String(seq),
            says: `new at ${from}, after ${read}`,
          });
        }
        seen.set(seq, Math.min(seen.get(seq) ?? Infinity, to));
      }
      // Of those who have read all that there was: a page that begins where nobody knows says nothing.
      if (after <= read) {
        ends.push({ to, last });
      }
    }
  }
  return found;
}
