/** `/leads`: the team's leads, whatever campaigns they are in. */

import type { Static } from "@sinclair/typebox";
import { tagOf } from "#api/campaigns/tags/routes.ts";
import { DRY_RUN, IN_BATCH, PLAN_LIMITED, resource } from "#api/context.ts";
import { cappedEnvelope, rangeOf } from "#api/cursor.ts";
import { defined } from "#api/defined.ts";
import { withEtag } from "#api/etag.ts";
import { isFiltered, readFiltered } from "#api/filter.ts";
import { changes } from "#api/patch.ts";
import { requestLogOf } from "#api/plugins/request-log.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { act, patch } from "#api/write.ts";
import { parseAddress } from "#domain/email-address.ts";
import { searchPhrases } from "#domain/search-phrases.ts";
import { LEAD_LIST } from "#store/filter/lists.ts";
import { listLeads } from "#store/leads/leads.ts";
import type { LeadRow } from "#store/tables/leads.ts";
import { setTags } from "#usecases/campaigns/tags.ts";
import { campaignsOfLead } from "#usecases/inbox/timeline.ts";
import { deleteLead, patchLead, requireLead, upsertLeads } from "#usecases/leads/leads.ts";
import { LeadCampaigns, presentLeadCampaigns } from "./lead-campaigns.ts";
import {
  Lead,
  LeadPage,
  LeadParams,
  LeadPatch,
  LeadQuery,
  LeadsUpserted,
  LeadTag,
  LeadUpsert,
  presentLead,
  presentListed,
  readLead,
} from "./schema.ts";

export const leadRoutes = resource("leads", "/leads")
  .get(
    "",
    async ({ env, caller, request }): Promise<Static<typeof LeadPage>> => {
      const { include, ...query } = readQuery(LeadQuery, request);
      const shown = (row: LeadRow) => presentListed(env.db, row, include === "campaign");
      if (isFiltered(query)) {
        const { rows, page } = await readFiltered(env, caller, LEAD_LIST, query);
        return { data: rows.map(shown), ...page };
      }
      const filter = defined({
        email: query.email === undefined ? undefined : addressOf(query.email),
        phrases: query.search === undefined ? undefined : searchPhrases(query.search),
        status: query.status,
        interest: query.interest,
        tag: tagOf(query.tag),
      });
      const found = listLeads(env.db, caller.teamId, filter, rangeOf(query));
      return cappedEnvelope(found, query, shown);
    },
    {
      response: { 200: LeadPage },
      detail: {
        summary: "List leads",
        description: "Returns the team's leads, newest first.",
        ...queryOf(LeadQuery),
      },
    },
  )
  .post(
    "",
    (context) =>
      act(context, () => {
        const { env, caller, body } = context;
        const inputs = body.leads.map(({ email, tags, ...lead }) => ({
          ...readLead(lead),
          email,
          ...defined({ tags }),
        }));
        const done = upsertLeads(env, caller, inputs);
        const created = done.filter((one) => one.created).length;
        return { created, data: done.map(({ row }) => presentLead(env.db, row)) };
      }),
    {
      body: LeadUpsert,
      response: { 200: LeadsUpserted },
      detail: {
        ...IN_BATCH,
        summary: "Create or update leads",
        description:
          "Creates the leads whose addresses are new to the team and changes the others, as an " +
          "update of each would, all or none. They are in no campaign until you add them to one.",
        ...PLAN_LIMITED,
      },
    },
  )
  .get(
    "/:id",
    (context) => {
      const row = requireLead(context.env, context.caller, context.params.id);
      return withEtag(context, presentLead(context.env.db, row), LeadTag);
    },
    {
      params: LeadParams,
      response: { 200: Lead },
      detail: {
        ...IN_BATCH,
        summary: "Get a lead",
        description: "Returns one lead with its variables.",
      },
    },
  )
  .get(
    "/:id/campaigns",
    ({ env, caller, params }) =>
      presentLeadCampaigns(env.db, campaignsOfLead(env, caller, params.id)),
    {
      params: LeadParams,
      response: { 200: LeadCampaigns },
      detail: {
        summary: "List campaigns of a lead",
        description:
          "Returns where the lead stands in each of its campaigns, the latest one first.",
      },
    },
  )
  .patch(
    "/:id",
    (context) => {
      const { env, caller, params, body } = context;
      return patch(
        context,
        LeadTag,
        () => presentLead(env.db, requireLead(env, caller, params.id)),
        () => {
          const row = patchLead(env, caller, params.id, readLead(body));
          if (body.tags !== undefined) {
            setTags(env, caller, { kind: "lead", id: row.id }, body.tags);
          }
          return presentLead(env.db, row);
        },
      );
    },
    {
      ...changes(LeadPatch, Lead),
      params: LeadParams,
      response: { 200: Lead },
      detail: {
        ...DRY_RUN,
        summary: "Update a lead",
        description:
          "Changes the fields that you send, and merges `variables` into those that the lead has. " +
          "The address cannot be changed.",
      },
    },
  )
  .delete(
    "/:id",
    async ({ env, caller, params }) => {
      const { id } = await deleteLead(env, caller, params.id);
      requestLogOf(env).forgetBodies(caller.teamId);
      return new Response(null, { status: 204, headers: { Location: `/api/v1/erasures/${id}` } });
    },
    {
      params: LeadParams,
      detail: {
        summary: "Erase a lead",
        description:
          "Permanently deletes a lead, with its place in campaigns and all emails sent to it and " +
          "received from it. A suppression of its address stays, as a hash, and so do files that the " +
          "team uploaded. `Location` is the path of the receipt.",
      },
    },
  );

/** The stored form of an address; text that is none is found nowhere. */
function addressOf(text: string): string {
  return parseAddress(text)?.address ?? text;
}
