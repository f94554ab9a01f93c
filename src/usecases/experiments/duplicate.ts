/** Duplicating a campaign: a draft with the same settings, steps and tags, and what else is asked for. */

import { CAMPAIGN_DEFAULTS } from "#domain/campaigns/campaign.ts";
import { EXPERIMENT_DEFAULTS } from "#domain/experiments/experiment.ts";
import type { Caller, Environment } from "#environment.ts";
import { stepsOf } from "#store/campaigns/steps.ts";
import { tagsOf } from "#store/campaigns/tags.ts";
import { openExperiments, variantsOf } from "#store/experiments/experiments.ts";
import { findAccount } from "#store/mailboxes/accounts.ts";
import { campaignLeadsAfter } from "#store/operations/exports.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import { createCampaign, requireCampaign } from "#usecases/campaigns/campaigns.ts";
import { setTags } from "#usecases/campaigns/tags.ts";
import { importLeads } from "#usecases/leads/import/import.ts";
import { createStep } from "#usecases/leads/steps.ts";
import { createExperiment, fieldsOf } from "./experiments.ts";

const NAME_MAX = 255;
const SUFFIX = " (copy)";
/** Leads that are read and added at once. */
const LEADS_SLICE = 500;

export interface Duplicate {
  /** Null: the campaign's own, with a word that says it's a copy. */
  name: string | null;
  /** Also the experiments that are running or paused, anew. */
  experiments: boolean;
}

/**
 * Inside a commit. Mailboxes that are gone are left out. Throws `not_found`, and with experiments
 * `plan_limit`.
 */
export function duplicateCampaign(
  env: Environment,
  caller: Caller,
  id: Id,
  { name, experiments }: Duplicate,
): CampaignRow {
  const source = requireCampaign(env, caller, id);
  const copy = createCampaign(env, caller, {
    ...pick(source, CAMPAIGN_DEFAULTS),
    name: name ?? source.name.slice(0, NAME_MAX - SUFFIX.length) + SUFFIX,
    accountIds: source.accountIds.filter(
      (account) => findAccount(env.db, caller.teamId, account) !== undefined,
    ),
  });
  for (const step of stepsOf(env.db, source.id)) {
    const { type, subject, body, format, attachmentIds, waitDays, waitMinutes } = step;
    const wait = { waitDays, waitMinutes };
    createStep(env, caller, copy.id, { type, subject, body, format, attachmentIds, ...wait });
  }
  setTags(env, caller, { kind: "campaign", id: copy.id }, tagsOf(env.db, source.id));
  for (const row of experiments ? openExperiments(env.db, source.id) : []) {
    const variants = variantsOf(env.db, row.id).map((variant) => {
      const { id: _own, isActive: _now, ...given } = fieldsOf(variant);
      return given;
    });
    const fields = { ...pick(row, EXPERIMENT_DEFAULTS), name: row.name, campaignId: copy.id };
    createExperiment(env, caller, { ...fields, variants });
  }
  return requireCampaign(env, caller, copy.id);
}

/** Adds a campaign's leads to its copy, in slices. Who is suppressed is left out. */
export async function copyLeads(env: Environment, caller: Caller, from: Id, to: Id): Promise<void> {
  const options = { existing: "keep", skipIfInOtherCampaign: false, dryRun: false } as const;
  let last: Id | undefined;
  do {
    const rows = campaignLeadsAfter(env.db, from, last, LEADS_SLICE);
    const items = rows.map(({ lead }) => ({ email: lead.email }));
    last = rows.length < LEADS_SLICE ? undefined : rows.at(-1)?.enrollment?.id;
    if (items.length > 0) {
      await importLeads(env, caller, to, items, options);
    }
  } while (last !== undefined);
}

/** Of `row` the fields that `names` has. */
function pick<Row extends object, Name extends keyof Row>(
  row: Row,
  names: Readonly<Record<Name, unknown>>,
): Pick<Row, Name> {
  const keys = Object.keys(names) as Name[];
  return Object.fromEntries(keys.map((key) => [key, row[key]])) as Pick<Row, Name>;
}
