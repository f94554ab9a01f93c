/** What pauses a campaign by itself: too many of the emails since its last start bounced, or brought complaints. */

import {
  GUARD_BOUNCE_RATE,
  GUARD_COMPLAINT_RATE,
  GUARD_SENDS_MIN,
  rateOf,
  type Tally,
} from "#domain/mailboxes/health.ts";
import { eprocessLimit } from "./stats/sequential.ts";

/** Share of a verified list that bounces all the same. */
const USUAL_BOUNCE_RATE = 0.02;
/**
 * However often that is read, at most this share of campaigns that bounce at the usual rate is paused before
 * {@link GUARD_SENDS_MIN}. By exact computation it is 0.04 %.
 */
const EARLY_P = 0.05;

/** Why a campaign has to be paused; null while it may go on. */
export function guardVerdict(tally: Tally): "bounce_rate" | "complaint_rate" | null {
  const { sends, hardBounces, complaints } = tally;
  if (sends < GUARD_SENDS_MIN) {
    return isSurelyBad(tally) ? "bounce_rate" : null;
  }
  if (rateOf(hardBounces, sends) >= GUARD_BOUNCE_RATE) {
    return "bounce_rate";
  }
  return rateOf(complaints, sends) >= GUARD_COMPLAINT_RATE ? "complaint_rate" : null;
}

/** The first few emails say beyond doubt that the list bounces more than lists usually do. */
function isSurelyBad({ sends, hardBounces: x }: Tally): boolean {
  const n = Math.max(sends, x);
  const limit = USUAL_BOUNCE_RATE;
  return x > limit * n && eprocessLimit({ x, n, limit }).pAnytime <= EARLY_P;
}
