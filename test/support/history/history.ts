/**
 * What clients, mail servers and webhook receivers saw of the executable, as it is recorded and judged.
 * Every instant is in milliseconds of one clock, the recorder's. All of it is plain data: a line of NDJSON each.
 */

/**
 * What a request said of a record. `put` creates or replaces, `change` needs what is there, `remove` too, and
 * `read` shows it; null: it isn't there. `was` says whether it was there before a `put`, where that was told.
 */
export type Act =
  | { on: string; do: "put"; value: string; was?: boolean }
  | { on: string; do: "change"; value: string }
  | { on: string; do: "remove"; erases?: boolean }
  | { on: string; do: "read"; value: string | null };

export interface Stopped {
  of: "recipient" | "campaign";
  name: string;
}

export interface Request {
  kind: "request";
  client: number;
  what: string;
  from: number;
  /** Of a response: when it was there. Without one: when it could no longer come true, null if never. */
  to: number | null;
  /** `unknown`: the connection broke. What was refused changed nothing. */
  outcome: "ok" | "refused" | "unknown";
  status: number | null;
  acts: Act[];
  /** What it is to make one of, and the id of what it made. */
  makes?: { name: string; key: string | null; id: string | null };
  /** What was in a whole list: names, and the ids that have them. */
  listed?: Record<string, string[]>;
  /** To whom, or for what campaign, nothing is sent from now on, and how many emails were past stopping. */
  stops?: Stopped & { inFlight: number };
  lifts?: Stopped;
  /** The event that its effect has. */
  event?: { type: string; subject: string | null };
  /** Of `GET /events`: the numbers of a page, after that number. */
  events?: { after: number; seqs: number[]; world: string };
}

/** An email that an SMTP server took. `begun` is the first command about it, `to` the 250 to its body. */
export interface Mail {
  kind: "mail";
  begun: number;
  from: number;
  to: number;
  account: string;
  campaign: string;
  recipient: string;
  step: number;
}

/** A copy in a Sent folder, which tells a program that was put back what it has sent. */
export interface Filed {
  kind: "filed";
  to: number;
  campaign: string;
  recipient: string;
  step: number;
}

/** An event that a receiver was sent. */
export interface Delivery {
  kind: "delivery";
  to: number;
  webhook: string;
  id: string;
  seq: number;
  type: string;
  /** The id of what it is about, as `Request.event` has it. */
  subject: string | null;
  body: string;
  status: number;
}

/** A backup, made some time between its instants; a restore of one, while nothing else went on. */
export interface Copy {
  kind: "save" | "restore";
  name: string;
  from: number;
  to: number;
}

export interface Fault {
  kind: "fault";
  fault: string;
  from: number;
  to: number;
}

/** Where a lead of a campaign stands at the end, as the API says. */
export interface Standing {
  kind: "standing";
  campaign: string;
  email: string;
  sent: number;
  hold: string | null;
  status: string;
}

export type Entry = Request | Mail | Filed | Delivery | Copy | Fault | Standing;

/** What the run was set up with. */
export interface Rules {
  /** The time of day, in milliseconds since 1970, at instant 0. */
  startedAt: number;
  caps: { of: "account" | "campaign"; name: string; perDay: number }[];
  /** A webhook that was there all the time, in each environment: it gets every event. */
  webhooks: string[];
  /** Records that were there before the first request, in a state that nobody knows. */
  found: (on: string) => boolean;
  /** A build that writes no suppressions down was there: a restore may end a stop. */
  forgets?: boolean;
}

export interface Finding {
  kind: FindingKind;
  on: string;
  says: string;
}

export const FINDING_KINDS = [
  "lost_write",
  "undecided",
  "went_back",
  "own_write_unseen",
  "made_twice",
  "server_error",
  "email_twice",
  "email_after_stop",
  "over_cap",
  "email_unaccounted",
  "event_lost",
  "event_order",
  "event_changed",
  "event_phantom",
  "events_shrank",
  "event_behind",
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

export const isKind =
  <Kind extends Entry["kind"]>(kind: Kind) =>
  (entry: Entry): entry is Extract<Entry, { kind: Kind }> =>
    entry.kind === kind;

export const requestsOf = (entries: readonly Entry[]): Request[] =>
  entries.filter(isKind("request"));

const isCopy = (entry: Entry): entry is Copy => entry.kind === "save" || entry.kind === "restore";

/** Each restore with the backup that it put back. */
export function restoresOf(entries: readonly Entry[]): { save: Copy; restore: Copy }[] {
  const copies = entries.filter(isCopy);
  const saves = new Map(copies.filter(({ kind }) => kind === "save").map((one) => [one.name, one]));
  return copies
    .filter(({ kind }) => kind === "restore")
    .flatMap((restore) => {
      const save = saves.get(restore.name);
      return save === undefined ? [] : [{ save, restore }];
    });
}

/** Whether a restore may have undone what was acknowledged at `at`, before `until`. */
export function isUndone(
  restores: readonly { save: Copy; restore: Copy }[],
  at: number,
  until = Number.POSITIVE_INFINITY,
): boolean {
  return restores.some(
    ({ save, restore }) => at < restore.to && save.from <= at && restore.from < until,
  );
}
