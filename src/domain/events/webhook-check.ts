/**
 * What a receiver does with deliveries, as far as its responses show: a month of made-up events of two leads,
 * sent out of order, twice, late, and with signatures that it must refuse.
 *
 * From outside, only statuses can be seen. Whether it detects duplicates and which state it keeps are known
 * if its responses report them (`processed`, `latest_seq`); otherwise the verdict is `unknown`.
 *
 * Source: ours (`docs/webhooks.md`, "Checking a receiver").
 */

export const CHECK_NAMES = [
  "accepts_events",
  "accepts_repeats",
  "accepts_two_signatures",
  "ignores_unknown_fields",
  "refuses_bad_signatures",
  "refuses_old_timestamps",
  "takes_late_events",
  "deduplicates",
  "orders_by_seq",
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

export const VERDICTS = ["yes", "no", "unknown"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** How one event is sent. `late`: after a later one of the same lead, its first attempt having been lost. */
export type Sending =
  | "in_order"
  | "late"
  | "repeat"
  | "two_signatures"
  | "unknown_fields"
  | "wrong_signature"
  | "altered_body"
  | "no_signature"
  | "old_timestamp";

export interface PlannedRequest {
  /** Number of the event, from 1 in the order of `seq`. Odd ones are about one lead, even ones about another. */
  event: number;
  sending: Sending;
}

/** The month, then what is added to it. Whatever must be refused is an event that was not sent before. */
export const CHECK_PLAN: readonly PlannedRequest[] = [
  ...planned("in_order", 1, 2, 5),
  ...planned("late", 3),
  ...planned("in_order", 4),
  ...planned("repeat", 5, 3),
  ...planned("in_order", 8),
  ...planned("late", 6),
  ...planned("in_order", 7, 10),
  ...planned("repeat", 10),
  ...planned("in_order", 11),
  ...planned("late", 9),
  ...planned("in_order", 12),
  ...planned("repeat", 12, 1),
  ...planned("wrong_signature", 13),
  ...planned("altered_body", 14),
  ...planned("no_signature", 15),
  ...planned("old_timestamp", 16),
  ...planned("two_signatures", 17),
  ...planned("unknown_fields", 18),
];
export const CHECK_EVENTS = Math.max(...CHECK_PLAN.map(({ event }) => event));

function planned(sending: Sending, ...events: readonly number[]): PlannedRequest[] {
  return events.map((event) => ({ event, sending }));
}

/** What a response says of the receiver's state, if anything. */
export interface Report {
  /** Events that it has taken so far, each counted once however often it came. */
  processed: number | null;
  /** `seq` of the event that its present state of the lead comes from. */
  latestSeq: number | null;
}

/** A request with what came of it. */
export interface Observation extends PlannedRequest, Report {
  seq: number;
  /** Null: no response. */
  status: number | null;
}

export interface CheckVerdict {
  check: CheckName;
  verdict: Verdict;
  /** A sentence for people. */
  message: string;
}

/** Reads the beginning of a response's body: JSON with `processed` and `latest_seq`, or anything else. */
export function readReport(body: string): Report {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    value = null;
  }
  const fields: Readonly<Record<string, unknown>> =
    typeof value === "object" && value !== null ? { ...value } : {};
  return { processed: countIn(fields["processed"]), latestSeq: countIn(fields["latest_seq"]) };
}

function countIn(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** A verdict for each check. What was not sent any more is `unknown`. */
export function verdictsOf(observations: readonly Observation[]): CheckVerdict[] {
  const seen = observations.map((one, at): Seen => ({ ...one, ...change(observations, at) }));
  const accepted = acceptance(seen, ["in_order", "late"]);
  return CHECK_NAMES.map((check) => {
    const isUseless = REFUSALS.has(check) && accepted.verdict !== "yes";
    const { verdict, detail } = isUseless ? VALID_FAIL : CHECKS[check](seen);
    const word = verdict === "unknown" ? "can’t tell" : verdict;
    return { check, verdict, message: `${LABELS[check]}: ${word}. ${detail}` };
  });
}

const LABELS: Readonly<Record<CheckName, string>> = {
  accepts_events: "Accepts signed events",
  accepts_repeats: "Accepts repeated deliveries",
  accepts_two_signatures: "Accepts either of two signatures",
  ignores_unknown_fields: "Ignores unknown fields",
  refuses_bad_signatures: "Refuses bad signatures",
  refuses_old_timestamps: "Refuses old timestamps",
  takes_late_events: "Takes late events",
  deduplicates: "Deduplicates",
  orders_by_seq: "Orders by seq",
};

/** They say nothing of a receiver that refuses what is right. */
const REFUSALS: ReadonlySet<CheckName> = new Set([
  "refuses_bad_signatures",
  "refuses_old_timestamps",
]);
const VALID_FAIL: Finding = {
  verdict: "unknown",
  detail: "It doesn’t accept valid events either, so a refusal shows nothing.",
};

interface Finding {
  verdict: Verdict;
  detail: string;
}

interface Seen extends Observation {
  /** By how much `processed` rose; null where it was not reported before and after. */
  counted: number | null;
  /** The highest `seq` that was sent of this event's lead, this one included. */
  highest: number;
}

function change(observations: readonly Observation[], at: number) {
  const one = observations[at];
  const sent = observations.slice(0, at);
  const before = sent.at(-1)?.processed ?? null;
  const after = one?.processed ?? null;
  const valid = [...sent, ...(one === undefined ? [] : [one])].filter(
    ({ event, sending }) => event % 2 === (one?.event ?? 0) % 2 && !isBad(sending),
  );
  return {
    counted: before === null || after === null ? null : after - before,
    highest: Math.max(0, ...valid.map(({ seq }) => seq)),
  };
}

const BAD: ReadonlySet<Sending> = new Set([
  "wrong_signature",
  "altered_body",
  "no_signature",
  "old_timestamp",
]);

function isBad(sending: Sending): boolean {
  return BAD.has(sending);
}

const CHECKS: Readonly<Record<CheckName, (seen: readonly Seen[]) => Finding>> = {
  accepts_events: (seen) => acceptance(seen, ["in_order", "late"]),
  accepts_repeats: (seen) => acceptance(seen, ["repeat"]),
  accepts_two_signatures: (seen) => acceptance(seen, ["two_signatures"]),
  ignores_unknown_fields: (seen) => acceptance(seen, ["unknown_fields"]),
  refuses_bad_signatures: (seen) =>
    refusal(seen, ["wrong_signature", "altered_body", "no_signature"]),
  refuses_old_timestamps: (seen) => refusal(seen, ["old_timestamp"]),
  takes_late_events: (seen) => {
    const late = of(seen, ["late"]).filter(({ counted }) => counted !== null);
    const missed = late.filter(({ counted }) => counted !== 1).length;
    const detail =
      missed === 0
        ? "Every event that came after a later one was counted."
        : `It didn’t count ${missed} of ${late.length} events that came after a later one.`;
    return late.length === 0 ? unreported("processed") : finding(missed === 0, detail);
  },
  deduplicates: (seen) => {
    const repeats = of(seen, ["repeat"]).filter(({ counted }) => counted !== null);
    const first = of(seen, ["in_order"]).some(({ counted }) => counted !== null && counted > 0);
    const twice = repeats.filter(({ counted }) => counted !== 0).length;
    const detail =
      twice === 0
        ? "It counted no delivery a second time."
        : `It counted ${twice} of ${repeats.length} deliveries again; recognize them by webhook-id.`;
    return repeats.length === 0 || !first ? unreported("processed") : finding(twice === 0, detail);
  },
  orders_by_seq: (seen) => {
    const late = of(seen, ["late"]).filter(({ latestSeq }) => latestSeq !== null);
    const old = late.filter(({ latestSeq, highest }) => latestSeq !== highest).length;
    const detail =
      old === 0
        ? "An older event never replaced newer state."
        : `After ${old} of ${late.length} older events, its state wasn’t that of the newest seq.`;
    return late.length === 0 ? unreported("latest_seq") : finding(old === 0, detail);
  },
};

function of(seen: readonly Seen[], sendings: readonly Sending[]): Seen[] {
  return seen.filter(({ sending }) => sendings.includes(sending));
}

function finding(isGood: boolean, detail: string): Finding {
  return { verdict: isGood ? "yes" : "no", detail };
}

function unreported(field: string): Finding {
  return {
    verdict: "unknown",
    detail: `Statuses don’t show it. Let the response’s JSON report "${field}" to have it checked.`,
  };
}

const NOT_SENT: Finding = { verdict: "unknown", detail: "The check ended before it was sent." };

function acceptance(seen: readonly Seen[], sendings: readonly Sending[]): Finding {
  const sent = of(seen, sendings);
  const failed = sent.find(({ status }) => !isAccepted(status));
  if (sent.length === 0) {
    return NOT_SENT;
  }
  return failed === undefined
    ? finding(true, `It responded 2xx to ${sent.length === 1 ? "it" : `all ${sent.length}`}.`)
    : finding(false, `It ${responseWords(failed.status)} at event ${failed.seq}.`);
}

/** A receiver may also respond 2xx and not count what it refuses: nothing is gained by a retry. */
function refusal(seen: readonly Seen[], sendings: readonly Sending[]): Finding {
  const sent = of(seen, sendings);
  if (sent.length === 0) {
    return NOT_SENT;
  }
  const taken = sent.find(({ status, counted }) => isAccepted(status) && counted !== 0);
  if (taken !== undefined) {
    const fault = FAULTS[taken.sending] ?? "";
    const whether =
      taken.counted === null ? ", and doesn’t report whether it counted it" : " and counted it";
    return finding(false, `It ${responseWords(taken.status)} to an event ${fault}${whether}.`);
  }
  const silent = sent.find(({ status }) => status === null);
  return silent === undefined
    ? finding(true, "It accepted none of them.")
    : { verdict: "unknown", detail: `It ${responseWords(null)}.` };
}

const FAULTS: Partial<Record<Sending, string>> = {
  wrong_signature: "with a wrong signature",
  altered_body: "whose raw body isn’t what was signed",
  no_signature: "without a signature",
  old_timestamp: "that was signed an hour ago",
};

function isAccepted(status: number | null): boolean {
  return status !== null && status >= 200 && status <= 299;
}

function responseWords(status: number | null): string {
  return status === null ? "didn’t respond" : `responded ${status}`;
}
