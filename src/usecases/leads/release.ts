/** A person lets a lead that is on hold go on. */

import { isBlank } from "#domain/leads/lead.ts";
import { conflict } from "#domain/problem.ts";
import type { Caller, Environment } from "#environment.ts";
import type { CampaignLead } from "#store/leads/campaign-leads.ts";
import { setCallout } from "#store/leads/leads.ts";
import { openTaskOf } from "#store/leads/tasks.ts";
import { wakeAccounts } from "#store/mailboxes/accounts.ts";
import { forgetAnswer } from "#store/mailboxes/mail-domains.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { audit } from "#usecases/events/record.ts";
import { patchCampaignLead, requireCampaignLead } from "./campaign-leads.ts";
import { changeEnrollment } from "./enrollments.ts";
import { retryEnrollment } from "./holds.ts";
import { type LeadFields, patchLead, requireLead } from "./leads.ts";
import { patchTask } from "./tasks.ts";

/** What leads on hold for a missing variable are given where they have no value of their own. */
export type Fill = Partial<Omit<LeadFields, "email" | "timezone">>;

/**
 * Lets a lead go on from what it waits for: one that lacks a variable or could not be planned is tried
 * again, with the values of `fill` if there are any; a risky address is written to, as is one that its server
 * doesn't know, the domain of any other invalid one looked up again; a task is skipped. Throws `conflict` for one that is not on hold or that `fill`
 * does not concern, and for holds that need a decision: an email that may have been delivered, and an
 * account that is gone.
 */
export function releaseCampaignLead(
  env: Environment,
  caller: Caller,
  campaignId: Id,
  id: Id,
  fill?: Fill,
): void {
  const row = requireCampaignLead(env, caller, campaignId, id);
  if (row.holdReason === "planning_failed" && fill === undefined) {
    patchCampaignLead(env, caller, campaignId, id, { status: "active" });
    return;
  }
  const isForAddress = row.holdReason === "risky_address" || row.holdReason === "invalid_address";
  if (row.holdReason === "missing_variable" || (isForAddress && fill === undefined)) {
    tryAgain(env, caller, row, fill);
    return;
  }
  const task = row.holdReason === "task" ? openTaskOf(env.db, row.id) : undefined;
  if (task === undefined || fill !== undefined) {
    throw conflict(`this lead cannot be released: its hold is ${row.holdReason ?? "over"}`);
  }
  patchTask(env, caller, task.id, { skipped: true });
}

function tryAgain(
  env: Environment,
  caller: Caller,
  row: CampaignLead,
  fill: Fill | undefined,
): void {
  if (fill !== undefined) {
    const lacking = lackingOf(env, caller, row, fill);
    if (Object.keys(lacking).length === 0) {
      throw conflict("this lead is missing none of these variables");
    }
    patchLead(env, caller, row.leadId, lacking);
    return;
  }
  if (row.holdReason === "invalid_address") {
    forgetAnswer(env.db, row.domain);
    const lead = requireLead(env, caller, row.leadId);
    if (lead.callout === "unknown_user") {
      setCallout(env.db, lead, "released", lead.calloutAt);
    }
  }
  retryEnrollment(env, row);
  if (row.holdReason === "risky_address") {
    changeEnrollment(env, row, { riskAccepted: true, spread: false });
  }
  audit(env, caller, {
    action: "campaign_lead.release",
    target: `enrollment:${row.id}`,
    before: { hold_reason: row.holdReason },
  });
  wakeAccounts(env.db, row.teamId);
  env.wake();
}

type Value = string | number | boolean | null | undefined;

/** Fields of a lead by what a template calls them. */
const NAMES = {
  firstName: "first_name",
  lastName: "last_name",
  company: "company",
  website: "website",
  phone: "phone",
} as const;

/** The part of `fill` that the lead is on hold for and has no value of. */
function lackingOf(
  env: Environment,
  caller: Caller,
  { leadId, holdDetail }: CampaignLead,
  { variables = {}, ...texts }: Fill,
): Fill {
  const lead = requireLead(env, caller, leadId);
  const missing = new Set(holdDetail?.split(", "));
  const isLacking = (name: string, value: Value) => missing.has(name) && isBlank(value);
  const found = Object.entries(texts).filter(([key]) => {
    const field = key as keyof typeof NAMES;
    return isLacking(NAMES[field], lead[field]);
  });
  const given = Object.entries(variables).filter(([name]) => isLacking(name, lead.variables[name]));
  return {
    ...Object.fromEntries(found),
    ...(given.length === 0 ? {} : { variables: Object.fromEntries(given) }),
  };
}
