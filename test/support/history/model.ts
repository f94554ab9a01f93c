/**
 * A program of a few lines that keeps its word, and the history that clients would have of it: requests that
 * overlap, responses that are lost, backups and restores, emails, events. And what it would look like had it
 * broken its word in one way.
 */

import { hash01 } from "#domain/random.ts";
import type { Delivery, Entry, FindingKind, Mail, Request, Rules } from "./history.ts";

const CLIENTS = 4;
const STEPS = 220;
const TURN_MS = 10;
const UNKNOWN = 0.12;
const CAP = 30;

export const MODEL_RULES: Rules = {
  startedAt: 0,
  caps: [{ of: "campaign", name: "C", perDay: CAP }],
  webhooks: ["main"],
  found: () => false,
};

interface Told {
  seq: number;
  type: string;
  subject: string;
}

interface World {
  records: Map<string, string>;
  events: Told[];
  made: Map<string, string>;
  seq: number;
}

const copyOf = (world: World): World => ({
  records: new Map(world.records),
  events: [...world.events],
  made: new Map(world.made),
  seq: world.seq,
});

export function modelHistory(seed: number): Entry[] {
  return new Model(seed).play();
}

class Model {
  readonly #seed: number;
  #drawn = 0;
  #world: World = { records: new Map(), events: [], made: new Map(), seq: 0 };
  #saved = new Map<string, { world: World; at: number }>();
  #erased: { email: string; at: number }[] = [];
  #free = Array.from({ length: CLIENTS }, () => 0);
  #ids = 0;
  /** Nothing before this overlaps what comes after: the last restore. */
  #floor = 0;
  #sent = new Map<string, number>();
  #entries: Entry[] = [];

  constructor(seed: number) {
    this.#seed = seed;
  }

  play(): Entry[] {
    for (let turn = 1; turn <= STEPS; turn += 1) {
      this.#turn(turn * TURN_MS);
    }
    for (const [email, sent] of this.#sent) {
      const more = { hold: null, status: "active" };
      this.#entries.push({ kind: "standing", campaign: "C", email, sent, ...more });
    }
    return this.#entries;
  }

  #random(below = 1): number {
    this.#drawn += 1;
    return below * hash01(this.#seed, this.#drawn);
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random(items.length))] as Item;
  }

  #turn(at: number): void {
    const dice = this.#random();
    if (dice < 0.02) {
      const name = `b${this.#saved.size}`;
      this.#saved.set(name, { world: copyOf(this.#world), at });
      this.#entries.push({
        kind: "save",
        name,
        from: at - this.#random(15),
        to: at + this.#random(15),
      });
    } else if (dice < 0.035 && this.#saved.size > 0) {
      this.#restore(at);
    } else if (dice < 0.15) {
      this.#send(at);
    } else {
      this.#request(at);
    }
  }

  /** Between turns, while nobody asks: those who were asking are cut off. */
  #restore(at: number): void {
    const [name, { world, at: madeAt }] = this.#pick([...this.#saved]);
    const { seq, records } = this.#world;
    this.#world = { ...copyOf(world), seq: seq + 1_000_000 };
    for (const on of [0, 1, 2].map((n) => `suppression s${n}`)) {
      this.#world.records.delete(on);
      for (const value of records.has(on) ? ["yes"] : []) {
        this.#world.records.set(on, value);
      }
    }
    for (const { email } of this.#erased.filter((one) => one.at >= madeAt)) {
      this.#world.records.delete(email);
    }
    this.#floor = at + 2;
    this.#entries = this.#entries.map((entry) =>
      "to" in entry && entry.kind === "request" && (entry.to ?? Infinity) >= at
        ? { ...entry, to: at - 0.1 }
        : entry,
    );
    this.#free = this.#free.map(() => at + 2);
    this.#entries.push({ kind: "restore", name, from: at, to: at + 1 });
  }

  #request(at: number): void {
    const client = this.#free.findIndex((free) => free < at);
    if (client < 0) {
      return;
    }
    const from = Math.max(this.#free[client] ?? 0, this.#floor, at - this.#random(25));
    const to = at + this.#random(25);
    this.#free[client] = to + 0.1;
    const isUnknown = this.#random() < UNKNOWN;
    const happens = !isUnknown || this.#random() < 0.5;
    const before = copyOf(this.#world);
    const [told, erased] = [this.#entries.length, this.#erased.length];
    const said = this.#carryOut(at);
    if (!happens) {
      this.#world = before;
      this.#entries.length = told;
      this.#erased.length = erased;
    }
    const outcome = isUnknown ? "unknown" : "ok";
    const base = { kind: "request" as const, client, what: "live", outcome, status: 200, acts: [] };
    const request: Request = { ...base, ...said, from, to, outcome };
    this.#entries.push(isUnknown ? forgotten(request) : request);
  }

  #carryOut(at: number): Partial<Request> {
    const { records } = this.#world;
    const lead = `lead${Math.floor(this.#random(3))}`;
    const email = `s${Math.floor(this.#random(3))}`;
    this.#ids += 1;
    const value = `v${this.#ids}`;
    const now = records.get(lead) ?? null;
    switch (Math.floor(this.#random(8))) {
      case 0:
        records.set(lead, value);
        return { acts: [{ on: lead, do: "put", value, was: now !== null }] };
      case 1:
        if (now === null) {
          return { acts: [{ on: lead, do: "read", value: null }] };
        }
        records.set(lead, value);
        return { acts: [{ on: lead, do: "change", value }] };
      case 2:
        if (this.#random() < 0.6 || now === null) {
          return { acts: [{ on: lead, do: "read", value: now }] };
        }
        records.delete(lead);
        this.#erased.push({ email: lead, at });
        return { acts: [{ on: lead, do: "remove", erases: true }] };
      case 3:
        return this.#suppress(email);
      case 4:
        return this.#make();
      case 5:
        return {
          listed: Object.fromEntries([...this.#world.made].map(([name, id]) => [name, [id]])),
        };
      case 6:
        return {
          events: { after: 0, seqs: this.#world.events.map(({ seq }) => seq), world: "live" },
        };
      default:
        return { acts: [{ on: lead, do: "read", value: now }] };
    }
  }

  #suppress(email: string): Partial<Request> {
    const on = `suppression ${email}`;
    const was = this.#world.records.has(on);
    if (was && this.#random() < 0.4) {
      this.#world.records.delete(on);
      return { acts: [{ on, do: "remove" }], lifts: { of: "recipient", name: email } };
    }
    this.#world.records.set(on, "yes");
    const said: Partial<Request> = {
      acts: [{ on, do: "put", value: "yes", was }],
      stops: { of: "recipient", name: email, inFlight: 0 },
    };
    return was ? said : { ...said, event: this.#tell("suppression.created", `id${this.#ids}`) };
  }

  #make(): Partial<Request> {
    const name = `made${Math.floor(this.#random(6))}`;
    const id = this.#world.made.get(name) ?? `id${this.#ids}`;
    this.#world.made.set(name, id);
    return { makes: { name, key: name, id } };
  }

  #send(at: number): void {
    const email = `s${Math.floor(this.#random(3))}`;
    const sent = this.#sent.get(email) ?? 0;
    if (this.#world.records.has(`suppression ${email}`) || sent >= CAP / 3) {
      return;
    }
    this.#sent.set(email, sent + 1);
    const mail: Mail = {
      ...{ kind: "mail", begun: at - 2, from: at - 1, to: at, account: "A" },
      ...{ campaign: "C", recipient: email, step: sent + 1 },
    };
    this.#entries.push(mail);
    this.#tell("email.sent", `C ${email} ${sent + 1}`, at);
  }

  /** Delivered some time later, now and then twice: what is told is told, whatever is restored. */
  #tell(type: string, subject: string, at = 0): { type: string; subject: string } {
    this.#world.seq += 1;
    const { seq } = this.#world;
    this.#world.events.push({ seq, type, subject });
    const delivery: Delivery = {
      ...{ kind: "delivery", webhook: "main", id: `e${seq}`, seq, type, subject },
      ...{ body: `${type} ${subject}`, status: 200, to: Math.max(at, this.#now()) + 200 },
    };
    this.#entries.push(delivery);
    if (this.#random() < 0.2) {
      this.#entries.push({ ...delivery, to: delivery.to + 300 });
    }
    return { type, subject };
  }

  #now(): number {
    return STEPS * TURN_MS;
  }
}

/** What a response would have said is not known; what was asked is. */
function forgotten({ acts, makes, event, ...request }: Request): Request {
  const { listed: _listed, events: _events, ...rest } = request;
  const known = acts
    .filter((act) => act.do !== "read")
    .map((act) => (act.do === "put" ? { on: act.on, do: act.do, value: act.value } : act));
  return {
    ...rest,
    ...{ status: null, acts: known },
    ...(makes === undefined ? {} : { makes: { ...makes, id: null } }),
    ...(event === undefined ? {} : { event: { ...event, subject: null } }),
  };
}

type Plant = (entries: readonly Entry[]) => Entry[] | undefined;

const isOk = (entry: Entry): entry is Request => entry.kind === "request" && entry.outcome === "ok";

/** The first entry of which `change` makes something else, changed. */
const first =
  (change: (entry: Entry, entries: readonly Entry[]) => Entry[] | undefined): Plant =>
  (entries) => {
    for (const [n, entry] of entries.entries()) {
      const changed = change(entry, entries);
      if (changed !== undefined) {
        return entries.toSpliced(n, 1, ...changed);
      }
    }
    return undefined;
  };

const sentTwice = first((entry) =>
  entry.kind === "mail" ? [entry, { ...entry, to: entry.to + 5 }] : undefined,
);

/** What each kind of broken word looks like; undefined where a history has no place for it. */
export const PLANTS: Readonly<Partial<Record<FindingKind, Plant>>> = {
  lost_write: first((entry) => {
    const read = isOk(entry) ? entry.acts.find((act) => act.do === "read") : undefined;
    return read === undefined || read.value === null
      ? undefined
      : [{ ...(entry as Request), acts: [{ ...read, value: "never written" }] }];
  }),
  went_back: (entries) => old(entries, false),
  own_write_unseen: (entries) => old(entries, true),
  made_twice: first((entry) => {
    const [name, ids] = Object.entries((isOk(entry) && entry.listed) || {})[0] ?? [];
    return name === undefined
      ? undefined
      : [{ ...(entry as Request), listed: { [name]: [...(ids ?? []), "another"] } }];
  }),
  server_error: first((entry) => (isOk(entry) ? [{ ...entry, status: 500 }] : undefined)),
  email_twice: sentTwice,
  email_after_stop: first((entry, entries) => {
    const email = isOk(entry) ? entry.stops?.name : undefined;
    const mail = entries.find((one) => one.kind === "mail");
    const to = ((entry as Request).to ?? 0) + 0.001;
    return email === undefined || mail?.kind !== "mail"
      ? undefined
      : [entry, { ...mail, ...{ recipient: email, step: 99, begun: to, from: to, to } }];
  }),
  over_cap: first((entry) =>
    entry.kind === "mail"
      ? Array.from({ length: CAP + 1 }, (_, n) => ({ ...entry, recipient: `x${n}` }))
      : undefined,
  ),
  email_unaccounted: first((entry) =>
    entry.kind === "standing" ? [{ ...entry, sent: entry.sent + 1 }] : undefined,
  ),
  event_lost: (entries) => {
    const kept = (entry: Entry) => entry.kind !== "delivery" || entry.type === "email.sent";
    const restored = Math.max(0, ...entries.map((one) => (one.kind === "restore" ? one.to : 0)));
    const isThere = entries.some((one) => isOk(one) && one.event && one.from > restored);
    return isThere ? entries.filter(kept) : undefined;
  },
  event_order: (entries) => {
    const told = entries.filter((one) => isOk(one) && one.event !== undefined) as Request[];
    const early = told[0];
    const isLater = ({ from }: Request) => from > (early?.to ?? Infinity);
    return told.some(isLater)
      ? entries.map((one) =>
          one.kind === "delivery" && one.subject === early?.event?.subject
            ? { ...one, seq: 1e12 }
            : one,
        )
      : undefined;
  },
  event_changed: first((entry) =>
    entry.kind === "delivery" ? [entry, { ...entry, body: "other words" }] : undefined,
  ),
  event_phantom: first((entry) =>
    entry.kind === "delivery" && entry.type === "email.sent"
      ? [entry, { ...entry, ...{ id: "e?", subject: "C nobody 1" } }]
      : undefined,
  ),
  events_shrank: listed((seqs) => seqs.slice(1)),
  event_behind: listed((seqs) => [seqs[0] ?? 0, (seqs[0] ?? 0) + 0.5, ...seqs.slice(1)]),
};

/** A second list right after one, changed. */
function listed(change: (seqs: number[]) => number[]): Plant {
  return first((entry) => {
    const events = isOk(entry) ? entry.events : undefined;
    if (events === undefined || events.seqs.length < 2) {
      return undefined;
    }
    const at = ((entry as Request).to ?? 0) + 0.0001;
    const again = { ...(entry as Request), from: at, to: at };
    return [entry, { ...again, events: { ...events, seqs: change(events.seqs) } }];
  });
}

/** A client that has seen, or written, a new value reads an older one. */
function old(entries: readonly Entry[], isOwn: boolean): Entry[] | undefined {
  const restores = entries.flatMap((one) => (one.kind === "restore" ? one.to : []));
  const writes = (entries.filter(isOk) as Request[]).flatMap((request) =>
    request.acts
      .filter((act) => act.do === "put" || act.do === "change")
      .filter(({ value }) => value.startsWith("v"))
      .map(({ on, value }) => ({ request, on, value })),
  );
  for (const older of writes) {
    const newer = writes.find(({ on, request }) => {
      const [ended, began] = [older.request.to ?? 0, request.from];
      return on === older.on && began > ended && !restores.some((to) => to > ended);
    });
    if (newer !== undefined) {
      const at = (newer.request.to ?? 0) + 0.0001;
      const client = isOwn ? newer.request.client : 99;
      const read = (value: string, from: number): Request => ({
        ...{ ...newer.request, client, from, to: from },
        acts: [{ on: newer.on, do: "read", value }],
      });
      return [...entries, read(newer.value, at), read(older.value, at + 0.0001)];
    }
  }
  return undefined;
}
