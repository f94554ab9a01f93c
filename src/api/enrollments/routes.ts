/** `/campaigns/{id}/leads`: the leads of a campaign, and their import. */

import { PLAN_LIMITED, resource } from "#api/context.ts";
import { cursorEnvelope, rangeOf } from "#api/cursor.ts";
import { defined } from "#api/defined.ts";
import { tagged } from "#api/etag.ts";
import { changes } from "#api/patch.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { IdParams, warningOf } from "#api/schema.ts";
import { read } from "#api/wire.ts";
import { act, actLater, patch, remove } from "#api/write.ts";
import { parseAddress } from "#domain/email-address.ts";
import { searchPhrases } from "#domain/search-phrases.ts";
import { listCampaignLeads } from "#store/leads/campaign-leads.ts";
import { leadByEmail } from "#store/leads/leads.ts";
import { ownCampaign } from "#usecases/campaigns/campaigns.ts";
import { changeLeads } from "#usecases/leads/bulk-leads.ts";
import {
  ownCampaignLead,
  patchCampaignLead,
  removeCampaignLead,
  resolveCampaignLead,
} from "#usecases/leads/campaign-leads.ts";
import { importLeads } from "#usecases/leads/import.ts";
import { BulkAnswer, BulkBody, presentBulk, readBulk } from "./bulk-schema.ts";
import {
  CampaignLead,
  CampaignLeadChanged,
  CampaignLeadPage,
  CampaignLeadParams,
  CampaignLeadPatch,
  CampaignLeadQuery,
  ImportAnswer,
  ImportBody,
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
    (context) =>
      actLater(context, async () => {
        const { world, caller, params, body } = context;
        const items = body.leads.map(readItem);
        const options = readOptions(body);
        const result = await importLeads(world, caller, params.id, items, options);
        return presentImport(result, ownCampaign(world, caller, params.id));
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
        const { id } = params;
        const result = changeLeads(world, caller, ownCampaign(world, caller, id), readBulk(body));
        const isGiven = body.action === "resume" && result.changed > 0;
        return { ...presentBulk(result), ...warningOf(isGiven, ownCampaign(world, caller, id)) };
      }),
    {
      params: IdParams,
      body: BulkBody,
      response: { 200: BulkAnswer },
      detail: { summary: "Pause, resume, end, remove or release many leads of a campaign" },
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
      const { status, interest, response, holdReason } = query;
      const search =
        query.search === undefined
          ? undefined
          : { teamId: caller.teamId, phrases: searchPhrases(query.search) };
      const filter = defined({ status, interest, holdReason, leadId, response, search });
      const found = listCampaignLeads(world.db, campaign.id, filter, rangeOf(query));
      return cursorEnvelope(found, query, (row) => presentCampaignLead(world.db, row));
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
      return tagged(context, presentCampaignLead(world.db, row), CampaignLeadPatch);
    },
    {
      params: CampaignLeadParams,
      response: { 200: CampaignLead },
      detail: { summary: "A lead of a campaign" },
    },
  )
  .patch(
    "/:leadId",
    (context) => {
      const { world, caller, params, body } = context;
      const { id, leadId } = params;
      return patch(
        context,
        CampaignLeadPatch,
        () => presentCampaignLead(world.db, ownCampaignLead(world, caller, id, leadId)),
        ({ status }) => {
          const change = read(CampaignLeadPatch, body);
          const row = patchCampaignLead(world, caller, id, leadId, change);
          if (row.status === status) {
            return presentCampaignLead(world.db, row);
          }
          return body.status === "active"
            ? presentResumed(world.db, row, ownCampaign(world, caller, id))
            : presentStopped(world.db, row);
        },
      );
    },
    {
      ...changes(CampaignLeadPatch, CampaignLeadChanged),
      params: CampaignLeadParams,
      response: { 200: CampaignLeadChanged },
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
        const verdict = read(Resolve, body);
        const row = resolveCampaignLead(world, caller, params.id, params.leadId, verdict);
        return presentCampaignLead(world.db, row);
      }),
    {
      params: CampaignLeadParams,
      body: Resolve,
      response: { 200: CampaignLead },
      detail: {
        summary: "Decide about a message that may or may not have been delivered",
        description:
          "409 where no message to the lead is unconfirmed, where several are and `message_id` names " +
          "none, and for `send_again` where the lead has ended or gone past the step",
      },
    },
  );
