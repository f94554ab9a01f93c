/** `/leads`: the team's leads, whatever campaigns they are in. */

import { resource } from "#api/context.ts";
import { cursorEnvelope, rangeOf } from "#api/cursor.ts";
import { defined } from "#api/defined.ts";
import { checkMatch, tagged } from "#api/etag.ts";
import { checkIdentity, dropReadOnly } from "#api/patch.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { IdParams } from "#api/schema.ts";
import { patch, remove } from "#api/write.ts";
import { parseAddress } from "#domain/email-address.ts";
import { searchPhrases } from "#domain/search-phrases.ts";
import { listLeads } from "#store/leads/leads.ts";
import { campaignsOfLead, readTimeline } from "#usecases/inbox/timeline.ts";
import { deleteLead, ownLead, patchLead } from "#usecases/leads/leads.ts";
import {
  LEAD_READ_ONLY,
  LEAD_SETTABLE,
  Lead,
  LeadPage,
  LeadPatch,
  LeadQuery,
  presentLead,
  readLead,
} from "./schema.ts";
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
      return cursorEnvelope(found, query, presentLead);
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
      return tagged(context, presentLead(row), LEAD_SETTABLE);
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
    (context) =>
      patch(
        context,
        () => {
          const { world, caller, params, body, state, request } = context;
          const before = presentLead(ownLead(world, caller, params.id));
          checkIdentity(state, before);
          checkMatch(request, before, LEAD_SETTABLE);
          return presentLead(patchLead(world, caller, params.id, readLead(body)));
        },
        LEAD_SETTABLE,
      ),
    {
      params: IdParams,
      body: LeadPatch,
      transform: dropReadOnly(LEAD_READ_ONLY),
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
