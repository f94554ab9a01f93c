/** `/campaigns/{id}/leads`: the leads of a campaign, and their import. */

import type { Static } from "@sinclair/typebox";
import { CampaignParams } from "#api/campaigns/schema.ts";
import { DRY_RUN, IN_BATCH, PLAN_LIMITED, resource } from "#api/context.ts";
import { cappedEnvelope, rangeOf } from "#api/cursor.ts";
import { defined } from "#api/defined.ts";
import { withEtag } from "#api/etag.ts";
import { isFiltered, readFiltered } from "#api/filter.ts";
import { changes } from "#api/patch.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { warningOf } from "#api/schema.ts";
import { read } from "#api/wire.ts";
import { act, actLater, patch, remove } from "#api/write.ts";
import { parseAddress } from "#domain/email-address.ts";
import { searchPhrases } from "#domain/search-phrases.ts";
import { CAMPAIGN_LEAD_LIST, inCampaign } from "#store/filter/lists.ts";
import { listCampaignLeads, withAddresses } from "#store/leads/campaign-leads.ts";
import { leadByEmail } from "#store/leads/leads.ts";
import { requireCampaign } from "#usecases/campaigns/campaigns.ts";
import { changeLeads } from "#usecases/leads/bulk-leads.ts";
import {
  patchCampaignLead,
  removeCampaignLead,
  requireCampaignLead,
  resolveCampaignLead,
} from "#usecases/leads/campaign-leads.ts";
import { importLeads, importLeadsAtOnce } from "#usecases/leads/import/import.ts";
import type { ImportResult } from "#usecases/leads/import/import-result.ts";
import { BulkBody, BulkOutcome, presentBulk, readBulk } from "./bulk-schema.ts";
import { malformedOf, takeOutMalformed } from "./lenient.ts";
import {
  CampaignLead,
  CampaignLeadChanged,
  CampaignLeadPage,
  CampaignLeadParams,
  CampaignLeadPatch,
  CampaignLeadQuery,
  campaignLeadsOf,
  ImportBody,
  ImportOutcome,
  presentCampaignLead,
  presentImport,
  presentResumed,
  presentStopped,
  Resolve,
  readItem,
  readOptions,
} from "./schema.ts";

/** The id of no lead: what an address that the team does not know is looked up as. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

export const enrollmentRoutes = resource("leads", "/campaigns/:id/leads")
  .post(
    "",
    (context) => {
      const { env, caller, params, body, request, state } = context;
      const items = body.leads.map(readItem);
      const asked = [env, caller, params.id, items, readOptions(body)] as const;
      const shown = (result: ImportResult) => {
        const campaign = requireCampaign(env, caller, params.id);
        return presentImport(result, campaign, body.strict === false ? malformedOf(request) : []);
      };
      return state.within === undefined
        ? actLater(context, async () => shown(await importLeads(...asked)))
        : act(context, () => shown(importLeadsAtOnce(...asked)));
    },
    {
      transform: (context) => {
        const { strict } = Object(context.body) as { strict?: unknown };
        if (strict === false) {
          takeOutMalformed(context);
        }
      },
      params: CampaignParams,
      body: ImportBody,
      response: { 200: ImportOutcome },
      detail: {
        ...IN_BATCH,
        summary: "Add leads to a campaign",
        description:
          "Adds up to 10,000 leads, and creates those that the team does not know yet. Every item " +
          "is imported, skipped or an error, and the three add up to the input. A malformed item " +
          "refuses the whole request, unless `strict` is false.",
        ...PLAN_LIMITED,
      },
    },
  )
  .post(
    "/bulk",
    (context) =>
      actLater(context, async () => {
        const { env, caller, params, body } = context;
        const campaign = requireCampaign(env, caller, params.id);
        const result = await changeLeads(env, caller, campaign, readBulk(body));
        const isGiven = body.action === "resume" && result.changed > 0;
        return {
          ...presentBulk(result),
          ...warningOf(isGiven, requireCampaign(env, caller, params.id)),
        };
      }),
    {
      params: CampaignParams,
      body: BulkBody,
      response: { 200: BulkOutcome },
      detail: {
        summary: "Change many leads of a campaign",
        description:
          "Pauses, resumes, ends, removes or releases the leads with these ids, or all that match a " +
          "filter. Up to 500 leads change per call; continue with `next_cursor`. After a 503, some may " +
          "have changed; repeat the call.",
      },
    },
  )
  .get(
    "",
    async ({ env, caller, params, request }): Promise<Static<typeof CampaignLeadPage>> => {
      const query = readQuery(CampaignLeadQuery, request);
      const campaign = requireCampaign(env, caller, params.id);
      if (isFiltered(query)) {
        const within = inCampaign(campaign.id);
        const found = await readFiltered(env, caller, CAMPAIGN_LEAD_LIST, query, within);
        const rows = withAddresses(env.db, found.rows);
        return { data: rows.map(campaignLeadsOf(env.db, rows)), ...found.page };
      }
      const address = query.email === undefined ? undefined : parseAddress(query.email)?.address;
      const leadId =
        query.email === undefined
          ? undefined
          : (leadByEmail(env.db, caller.teamId, address ?? "")?.id ?? NOBODY);
      const { status, interest, response, holdReason } = query;
      const search =
        query.search === undefined
          ? undefined
          : { teamId: caller.teamId, phrases: searchPhrases(query.search) };
      const filter = defined({ status, interest, holdReason, leadId, response, search });
      const found = listCampaignLeads(env.db, campaign.id, filter, rangeOf(query));
      return cappedEnvelope(found, query, campaignLeadsOf(env.db, found.rows));
    },
    {
      params: CampaignParams,
      response: { 200: CampaignLeadPage },
      detail: {
        summary: "List leads of a campaign",
        description:
          "Returns the leads of a campaign with where they stand in its sequence, newest first.",
        ...queryOf(CampaignLeadQuery),
      },
    },
  )
  .get(
    "/:leadId",
    (context) => {
      const { env, caller, params } = context;
      const row = requireCampaignLead(env, caller, params.id, params.leadId);
      return withEtag(context, presentCampaignLead(env.db, row), CampaignLeadPatch);
    },
    {
      params: CampaignLeadParams,
      response: { 200: CampaignLead },
      detail: {
        ...IN_BATCH,
        summary: "Get a lead of a campaign",
        description: "Returns where a lead stands in the campaign's sequence.",
      },
    },
  )
  .patch(
    "/:leadId",
    (context) => {
      const { env, caller, params, body } = context;
      const { id, leadId } = params;
      return patch(
        context,
        CampaignLeadPatch,
        () => presentCampaignLead(env.db, requireCampaignLead(env, caller, id, leadId)),
        ({ status }) => {
          const change = read(CampaignLeadPatch, body);
          const row = patchCampaignLead(env, caller, id, leadId, change);
          if (row.status === status) {
            return presentCampaignLead(env.db, row);
          }
          return body.status === "active"
            ? presentResumed(env.db, row, requireCampaign(env, caller, id))
            : presentStopped(env.db, row);
        },
      );
    },
    {
      ...changes(CampaignLeadPatch, CampaignLeadChanged),
      params: CampaignLeadParams,
      response: { 200: CampaignLeadChanged },
      detail: {
        ...DRY_RUN,
        summary: "Update a lead of a campaign",
        description:
          "Pauses, resumes or ends the lead's sequence by `status`, moves it to another step, " +
          "reschedules its next email, or sets its interest. A transition that its status does not " +
          "allow is refused with 409.",
      },
    },
  )
  .delete(
    "/:leadId",
    (context) =>
      remove(context, () => {
        const { env, caller, params } = context;
        removeCampaignLead(env, caller, params.id, params.leadId);
      }),
    {
      params: CampaignLeadParams,
      detail: {
        ...DRY_RUN,
        summary: "Remove a lead from a campaign",
        description:
          "Removes the lead from this campaign. The lead's record, and the emails it has been sent, " +
          "stay.",
      },
    },
  )
  .post(
    "/:leadId/resolve",
    (context) =>
      act(context, () => {
        const { env, caller, params, body } = context;
        const verdict = read(Resolve, body);
        const row = resolveCampaignLead(env, caller, params.id, params.leadId, verdict);
        return presentCampaignLead(env.db, row);
      }),
    {
      params: CampaignLeadParams,
      body: Resolve,
      response: { 200: CampaignLead },
      detail: {
        ...DRY_RUN,
        summary: "Resolve an unconfirmed email",
        description:
          "Decides about an email whose connection broke before the server confirmed it: treat it " +
          "as sent, or send it again. Refused with 409 when no email to the lead is unconfirmed, " +
          "when several are and `message_id` names none, and for `send_again` when the lead's " +
          "sequence has ended or has passed the step.",
      },
    },
  );
