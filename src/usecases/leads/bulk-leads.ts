/**
 * One change to many leads of a campaign: those that are named, or a page of all that a filter finds. In
 * slices, each a transaction, so that others get their turn; what was changed before one that fails stays
 * changed, and the same call may be made again.
 */

import { Problem } from "#domain/problem.ts";
import type { Caller, Environment } from "#environment.ts";
import { type CampaignLeadFilter, listCampaignLeads } from "#store/leads/campaign-leads.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import { patchCampaignLead, removeCampaignLead, resolveCampaignLead } from "./campaign-leads.ts";
import { type Fill, releaseCampaignLead } from "./release.ts";

export const BULK_ACTIONS = [
  "pause",
  "resume",
  "complete",
  "remove",
  "release",
  "treat_as_sent",
  "send_again",
] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** Leads that one call changes; a filter that finds more goes on with the next call. */
export const BULK_LEADS_MAX = 500;

export interface BulkResult {
  changed: number;
  /** Those that could not take the change: their sequence has ended, say. */
  skipped: number;
  /** The last one that was looked at, where there are more; null at the end. */
  last: Id | null;
}

/** Those named, or the page of what a filter finds that comes after `after`, newest first. */
export type BulkInput = { action: BulkAction; fill?: Fill } & (
  | { leadIds: readonly Id[] }
  | { filter: CampaignLeadFilter; after?: Id }
);

/** Leads that one transaction changes. */
const SLICE_LEADS = 50;

/** Those that are not in the campaign are skipped. */
export async function changeLeads(
  env: Environment,
  caller: Caller,
  campaign: CampaignRow,
  input: BulkInput,
): Promise<BulkResult> {
  const isNamed = "leadIds" in input;
  const ids = isNamed ? input.leadIds : pageOf(env, campaign, input);
  let changed = 0;
  let gone = 0;
  for (let from = 0; from < ids.length; from += SLICE_LEADS) {
    const slice = ids.slice(from, from + SLICE_LEADS);
    await env.commit(() => {
      const wanted = isNamed
        ? slice
        : pageOf(env, campaign, { filter: { ...input.filter, ids: slice } });
      gone += slice.length - wanted.length;
      changed += wanted.filter((id) => changeOne(env, caller, campaign.id, id, input)).length;
    });
  }
  const isEnd = isNamed || ids.length < BULK_LEADS_MAX;
  return {
    changed,
    skipped: ids.length - gone - changed,
    last: isEnd ? null : (ids.at(-1) ?? null),
  };
}

/** Of a slice those that a filter still finds: an email may have gone out since the page was read. */
function pageOf(
  env: Environment,
  campaign: CampaignRow,
  { filter, after }: { filter: CampaignLeadFilter; after?: Id },
): Id[] {
  const range = { limit: BULK_LEADS_MAX, offset: 0, ...(after === undefined ? {} : { after }) };
  return listCampaignLeads(env.db, campaign.id, filter, range).rows.map(({ id }) => id);
}

const STATUS_OF = { pause: "paused", resume: "active", complete: "completed" } as const;

/** A lead that is filled in may have as many variables as there can be: `validation_error`. */
const UNFIT: ReadonlySet<string> = new Set(["conflict", "not_found", "validation_error"]);

/** False where the lead cannot take the change. */
function changeOne(
  env: Environment,
  caller: Caller,
  campaignId: Id,
  id: Id,
  { action, fill }: BulkInput,
): boolean {
  try {
    switch (action) {
      case "remove":
        removeCampaignLead(env, caller, campaignId, id);
        return true;
      case "release":
        releaseCampaignLead(env, caller, campaignId, id, fill);
        return true;
      case "treat_as_sent":
      case "send_again":
        resolveCampaignLead(env, caller, campaignId, id, { action });
        return true;
      default: {
        const change = { status: STATUS_OF[action] };
        const { status } = patchCampaignLead(env, caller, campaignId, id, change);
        // Who was never written to waits again as a new lead.
        return status === change.status || (action === "resume" && status === "pending");
      }
    }
  } catch (error) {
    if (error instanceof Problem && UNFIT.has(error.type)) {
      return false;
    }
    throw error;
  }
}
