/**
 * The invariants of sending. Those about email are checked by the chronicle, what servers really took;
 * those about records by the product's tables against each other and against the chronicle. None of them
 * uses the planner's own arithmetic of windows, days and caps.
 */

import {
  checkAccountDay,
  checkAccountHour,
  checkCampaignDay,
  checkDomainDay,
  checkGap,
  checkMatch,
  checkNewLeads,
  checkPlan,
  checkProviderDay,
  checkSpread,
} from "./check-caps.ts";
import { checkShown, checkVariants } from "./check-experiments.ts";
import { checkHealth } from "./check-health.ts";
import {
  checkMessageIds,
  checkPauses,
  checkReplies,
  checkResponses,
  checkSticky,
  checkSuppressed,
  checkThreads,
  checkTwice,
  checkVisible,
  checkWindow,
} from "./check-mail.ts";
import { checkMoves } from "./check-moves.ts";
import { checkRuns, checkSeeds, checkTests } from "./check-placement.ts";
import {
  checkContacted,
  checkCounters,
  checkImports,
  checkOnHold,
  checkOpen,
  checkUsage,
} from "./check-rows.ts";
import { checkDeleted, checkOrder, checkWait } from "./check-sequence.ts";
import type { Scene } from "./scene.ts";

export const INVARIANTS = {
  window: "nothing is sent outside the lead's window",
  suppressed: "nothing is sent to a suppressed address or domain",
  reply: "nothing is sent after a reply that was read, where replies stop",
  paused: "nothing is sent while campaign, mailbox or lead is paused",
  twice: "no step is sent twice to one enrollment",
  order: "a lead gets each step behind the last one it got, and none that it went past",
  wait: "nothing is sent before the wait of its step is over",
  deleted: "a step that was deleted is not sent",
  account_hour: "no mailbox sends more than its hour allows",
  account_day: "no mailbox sends more than its day allows, ramp included",
  provider_day: "no mailbox sends more a day to one provider's recipients than it may",
  campaign_new: "no campaign starts more leads a day than it may",
  campaign_day: "no campaign sends more a day than it may",
  domain_day: "no campaign sends more a day to one domain than it may",
  match: "where leads wait for a mailbox at their provider, no other begins with them",
  spread: "where risky addresses are spread, a mailbox writes to few of them a day",
  gap: "a mailbox keeps its least gap",
  sticky: "one mailbox writes a whole sequence",
  visible: "what a server took is shown as sent or in doubt",
  thread: "a follow-up names the mails before it",
  message_id: "no two messages share a Message-ID",
  answers: "an answer by hand is sent once, and shown",
  counters: "counters equal the sums over rows",
  contacted: "days count the leads contacted, and their replies, that campaigns count",
  open: "the count of open leads equals them",
  on_hold: "a lead on hold is not due",
  health: "a mailbox's score is what its mail makes it",
  usage: "what is counted against caps equals what is reserved",
  variants: "variant counters equal the sums over enrollments",
  shown: "a lead counts for the variant that it was sent",
  plan: "no team sends more mails a month than its plan has",
  seeds: "no sequence writes to a seed mailbox",
  tests: "a test mail is sent once, and said to be where it is",
  runs: "a placement run adds up, and ends",
  moves:
    "a lead moves on where a rule says so and for as long as it does, or it is said why it stays",
  imports: "imported, skipped and refused are what was handed in",
} as const;
export type Invariant = keyof typeof INVARIANTS;

export interface Violation {
  invariant:
    | Invariant
    | "awake"
    | "liveness"
    | "completion"
    | "told"
    | "internal"
    | "integrity"
    | "durable"
    /** Damage that can be seen isn't, or doesn't stop sending. */
    | "damage"
    | "misheard";
  detail: string;
}

type Check = (scene: Scene) => Iterable<string>;

const CHECKS: Readonly<Record<Invariant, Check>> = {
  window: checkWindow,
  suppressed: checkSuppressed,
  reply: checkReplies,
  paused: checkPauses,
  twice: checkTwice,
  order: checkOrder,
  wait: checkWait,
  deleted: checkDeleted,
  account_hour: checkAccountHour,
  account_day: checkAccountDay,
  campaign_new: checkNewLeads,
  campaign_day: checkCampaignDay,
  domain_day: checkDomainDay,
  match: checkMatch,
  spread: checkSpread,
  provider_day: checkProviderDay,
  gap: checkGap,
  sticky: checkSticky,
  visible: checkVisible,
  thread: checkThreads,
  message_id: checkMessageIds,
  answers: checkResponses,
  counters: checkCounters,
  contacted: checkContacted,
  open: checkOpen,
  on_hold: checkOnHold,
  health: checkHealth,
  usage: checkUsage,
  variants: checkVariants,
  shown: checkShown,
  plan: checkPlan,
  seeds: checkSeeds,
  tests: checkTests,
  runs: checkRuns,
  moves: checkMoves,
  imports: checkImports,
};

export function check(scene: Scene): Violation[] {
  return (Object.keys(CHECKS) as Invariant[]).flatMap((invariant) =>
    [...CHECKS[invariant](scene)].slice(0, 3).map((detail) => ({ invariant, detail })),
  );
}
