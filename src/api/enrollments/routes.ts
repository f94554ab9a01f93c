/** `/campaigns/{id}/leads`: the leads of a campaign, and their import. */

import { PLAN_LIMITED, resource } from "#api/context.ts";
import { cursorEnvelope, rangeOf } from "#api/cursor.ts";
import { defined } from "#api/defined.ts";
import { checkMatch, tagged } from "#api/etag.ts";
import { checkIdentity, dropReadOnly } from "#api/patch.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { IdParams } from "#api/schema.ts";
import { act, actLater, patch, remove } from "#api/write.ts";
import { parseAddress } from "#domain/email-address.ts";
import { searchPhrases } from "#domain/search-phrases.ts";
import { listCampaignLeads } from "#store/campaign-leads.ts";
import { leadByEmail } from "#store/leads.ts";
import { changeLeads } from "#usecases/bulk-leads.ts";
import {
  ownCampaignLead,
  patchCampaignLead,
  removeCampaignLead,
  resolveCampaignLead,
} from "#usecases/campaign-leads.ts";
import { ownCampaign } from "#usecases/campaigns.ts";
import { importLeads } from "#usecases/import.ts";
import { BulkAnswer, BulkBody, presentBulk, readBulk } from "./bulk-schema.ts";
import {
  CAMPAIGN_LEAD_READ_ONLY,
  CAMPAIGN_LEAD_SETTABLE,
  CampaignLead,
  CampaignLeadPage,
  CampaignLeadParams,
  CampaignLeadPatch,
  CampaignLeadQuery,
  ImportAnswer,
  ImportBody,
  presentCampaignLead,
  presentImport,
  Resolve,
  readCampaignLead,
  readItem,
  readOptions,
} from "./schema.ts";

/** The id of no lead: what an address that the team does not know is looked up as. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

export const enrollmentRoutes = resource("leads", "/campaigns/:id/leads")
  .post(
    "",
    (context) =>
      actLater(context, async () => {
        const { world, caller, params, body } = context;
        const items = body.leads.map(readItem);
        const options = readOptions(body);
        return presentImport(await importLeads(world, caller, params.id, items, options));
      }),
    {
      params: IdParams,
      body: ImportBody,
      response: { 200: ImportAnswer },
      detail: {
        summary: "Add leads to a campaign; every item is imported, skipped or an error",
        ...PLAN_LIMITED,
      },
    },
  )
  .post(
    "/bulk",
    (context) =>
      act(context, () => {
        const { world, caller, params, body } = context;
        const campaign = ownCampaign(world, caller, params.id);
        return presentBulk(changeLeads(world, caller, campaign, readBulk(body)));
      }),
    {
      params: IdParams,
      body: BulkBody,
      response: { 200: BulkAnswer },
      detail: { summary: "Pause, resume, end or remove many leads of a campaign" },
    },
  )
  .get(
    "",
    ({ world, caller, params, request }) => {
      const query = readQuery(CampaignLeadQuery, request);
      const campaign = ownCampaign(world, caller, params.id);
      const address = query.email === undefined ? undefined : parseAddress(query.email)?.address;
      const leadId =
        query.email === undefined
          ? undefined
          : (leadByEmail(world.db, caller.teamId, address ?? "")?.id ?? NOBODY);
      const { status, interest, hold_reason: holdReason } = query;
      const search =
        query.search === undefined
          ? undefined
          : { teamId: caller.teamId, phrases: searchPhrases(query.search) };
      const filter = defined({ status, interest, holdReason, leadId, search });
      const found = listCampaignLeads(world.db, campaign.id, filter, rangeOf(query));
      return cursorEnvelope(found, query, presentCampaignLead);
    },
    {
      params: IdParams,
      response: { 200: CampaignLeadPage },
      detail: {
        summary: "List the leads of a campaign, newest first",
        ...queryOf(CampaignLeadQuery),
      },
    },
  )
  .get(
    "/:leadId",
    (context) => {
      const { world, caller, params } = context;
      const row = ownCampaignLead(world, caller, params.id, params.leadId);
      return tagged(context, presentCampaignLead(row), CAMPAIGN_LEAD_SETTABLE);
    },
    {
      params: CampaignLeadParams,
      response: { 200: CampaignLead },
      detail: { summary: "A lead of a campaign" },
    },
  )
  .patch(
    "/:leadId",
    (context) =>
      patch(
        context,
        () => {
          const { world, caller, params, body, state, request } = context;
          const { id, leadId } = params;
          const before = presentCampaignLead(ownCampaignLead(world, caller, id, leadId));
          checkIdentity(state, before);
          checkMatch(request, before, CAMPAIGN_LEAD_SETTABLE);
          const change = readCampaignLead(body);
          return presentCampaignLead(patchCampaignLead(world, caller, id, leadId, change));
        },
        CAMPAIGN_LEAD_SETTABLE,
      ),
    {
      params: CampaignLeadParams,
      body: CampaignLeadPatch,
      transform: dropReadOnly(CAMPAIGN_LEAD_READ_ONLY),
      response: { 200: CampaignLead },
      detail: { summary: "Pause, resume, end, book, move or judge a lead of a campaign" },
    },
  )
  .delete(
    "/:leadId",
    (context) =>
      remove(context, () => {
        const { world, caller, params } = context;
        removeCampaignLead(world, caller, params.id, params.leadId);
      }),
    { params: CampaignLeadParams, detail: { summary: "Take a lead out of a campaign" } },
  )
  .post(
    "/:leadId/resolve",
    (context) =>
      act(context, () => {
        const { world, caller, params, body } = context;
        const { id, leadId } = params;
        return presentCampaignLead(resolveCampaignLead(world, caller, id, leadId, body.action));
      }),
    {
      params: CampaignLeadParams,
      body: Resolve,
      response: { 200: CampaignLead },
      detail: { summary: "Decide about a message that may or may not have been delivered" },
    },
  );
