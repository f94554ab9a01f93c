/** `/leads`: the team's leads, whatever campaigns they are in. */

import { resource } from "#api/context.ts";
import { cursorEnvelope, rangeOf } from "#api/cursor.ts";
import { defined } from "#api/defined.ts";
import { tagged } from "#api/etag.ts";
import { changes } from "#api/patch.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { IdParams } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import { patch, remove } from "#api/write.ts";
import { parseAddress } from "#domain/email-address.ts";
import { searchPhrases } from "#domain/search-phrases.ts";
import { listLeads } from "#store/leads/leads.ts";
import { campaignsOfLead, readTimeline } from "#usecases/inbox/timeline.ts";
import { deleteLead, ownLead, patchLead } from "#usecases/leads/leads.ts";
import { Lead, LeadPage, LeadPatch, LeadQuery, LeadTag, readLead } from "./schema.ts";
import {
  LeadCampaigns,
  presentLeadCampaigns,
  presentTimeline,
  Timeline,
} from "./timeline-schema.ts";

export const leadRoutes = resource("leads", "/leads")
  .get(
    "",
    ({ world, caller, request }) => {
      const query = readQuery(LeadQuery, request);
      const filter = defined({
        email: query.email === undefined ? undefined : addressOf(query.email),
        phrases: query.search === undefined ? undefined : searchPhrases(query.search),
        status: query.status,
        interest: query.interest,
      });
      const found = listLeads(world.db, caller.teamId, filter, rangeOf(query));
      return cursorEnvelope(found, query, (row) => present(Lead, row));
    },
    {
      response: { 200: LeadPage },
      detail: { summary: "List leads, newest first", ...queryOf(LeadQuery) },
    },
  )
  .get(
    "/:id",
    (context) => {
      const row = ownLead(context.world, context.caller, context.params.id);
      return tagged(context, present(Lead, row), LeadTag);
    },
    { params: IdParams, response: { 200: Lead }, detail: { summary: "A lead" } },
  )
  .get(
    "/:id/campaigns",
    ({ world, caller, params }) =>
      presentLeadCampaigns(world.db, campaignsOfLead(world, caller, params.id)),
    {
      params: IdParams,
      response: { 200: LeadCampaigns },
      detail: { summary: "A lead in each of its campaigns, the newest first" },
    },
  )
  .get(
    "/:id/timeline",
    ({ world, caller, params }) => presentTimeline(readTimeline(world, caller, params.id)),
    {
      params: IdParams,
      response: { 200: Timeline },
      detail: {
        summary: "What happened with a lead, newest first",
        description:
          "Mails both ways with what they were taken for, tasks, suppressions, and who changed what",
      },
    },
  )
  .patch(
    "/:id",
    (context) => {
      const { world, caller, params, body } = context;
      return patch(
        context,
        LeadTag,
        () => present(Lead, ownLead(world, caller, params.id)),
        () => present(Lead, patchLead(world, caller, params.id, readLead(body))),
      );
    },
    {
      ...changes(LeadPatch, Lead),
      params: IdParams,
      response: { 200: Lead },
      detail: { summary: "Change a lead's fields and variables" },
    },
  )
  .delete(
    "/:id",
    (context) =>
      remove(context, () => deleteLead(context.world, context.caller, context.params.id)),
    {
      params: IdParams,
      detail: { summary: "Erase a lead, its enrollments and what was written to and fro" },
    },
  );

/** The stored form of an address; text that is none is found nowhere. */
function addressOf(text: string): string {
  return parseAddress(text)?.address ?? text;
}
