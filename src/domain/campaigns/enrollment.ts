/**
 * Enrollments (the seed's "campaign lead"): one lead in one campaign.
 *
 * Source: the fields are the seed's; the states are ours.
 */

export const ENROLLMENT_STATUSES = [
  "pending",
  "active",
  "paused",
  "completed",
  "replied",
  "bounced",
  "unsubscribed",
  "failed",
  "suppressed",
] as const;
/** `pending`: nothing sent yet. `active`: in the sequence. `paused`: by hand, or until a date. */
export type EnrollmentStatus = (typeof ENROLLMENT_STATUSES)[number];

const OPEN: ReadonlySet<EnrollmentStatus> = new Set(["pending", "active", "paused"]);

/**
 * True while the enrollment has not ended: its sequence may go on by itself or once a person has acted. Its
 * campaign does not complete before.
 */
export function isOpen(status: EnrollmentStatus): boolean {
  return OPEN.has(status);
}

/** The counter of the campaign that an end adds to. */
const ENDS = ["completed", "bounced", "unsubscribed", "failed"] as const;

/** What an enrollment adds to the counters of its campaign, beside `enrolled`. */
export function shareOf({ status, holdReason }: Pick<Standing, "status" | "holdReason">) {
  const end = ENDS.find((name) => name === status);
  return {
    open: Number(isOpen(status)),
    statuses: { [status]: 1 },
    onHold: holdReason === null ? {} : { [holdReason]: 1 },
    ...(end === undefined ? {} : { [end]: 1 }),
  };
}

/** Why a sequence ended that gave way to another one to the same person. */
export const GAVE_WAY = "merged";

/** Why a sequence ended whose lead reads the mailbox no more: it is about the address, as a bounce is. */
export const LEFT_COMPANY = "left_company";

interface Standing {
  status: EnrollmentStatus;
  stopReason: string | null;
  dueAt: number | null;
  holdReason: HoldReason | null;
  holdDetail: string | null;
  /** 0, or the number of one that gave way. */
  merged: number;
}

/** One that gave way never goes on, whatever is taken back of what had ended it before. */
export function keptEnded<Row extends Standing>(row: Row): Row {
  if (row.merged === 0) {
    return row;
  }
  const end = isOpen(row.status) ? ({ status: "completed", stopReason: GAVE_WAY } as const) : {};
  return { ...row, ...end, dueAt: null, holdReason: null, holdDetail: null };
}

/** What a person may set by PATCH. */
export const SETTABLE_STATUSES = ["active", "paused", "completed", "unsubscribed"] as const;

export const HOLD_REASONS = [
  "missing_variable",
  "unknown_send",
  "task",
  "account_gone",
  "planning_failed",
  "invalid_address",
  "risky_address",
] as const;
/** Why an enrollment waits for a person. */
export type HoldReason = (typeof HOLD_REASONS)[number];

export const INTERESTS = ["interested", "not_interested", "neutral", "meeting"] as const;
export type Interest = (typeof INTERESTS)[number];

/** What came back, in the order in which a later one overrides an earlier end. */
const LATE_ENDS: readonly EnrollmentStatus[] = ["completed", "replied", "bounced", "unsubscribed"];

/**
 * True when an enrollment that is `from` may still become `to` because of something that came back:
 * a late reply, bounce or opt-out counts after the sequence has ended too.
 */
export function mayEndAs(from: EnrollmentStatus, to: EnrollmentStatus): boolean {
  if (isOpen(from)) {
    return true;
  }
  if (from === "failed" || from === "suppressed") {
    return to === "replied" || to === "unsubscribed";
  }
  return LATE_ENDS.indexOf(to) > LATE_ENDS.indexOf(from);
}
