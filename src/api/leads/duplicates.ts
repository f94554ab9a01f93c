/** `/leads/duplicates` and `/leads/{id}/merge`: leads that are one person. */

import { type Static, Type } from "@sinclair/typebox";
import { DRY_RUN, resource } from "#api/context.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { Count, Described, Id, Nullable, OneOf, Page, PageQuery, Shape } from "#api/schema.ts";
import { act } from "#api/write.ts";
import { DUPLICATE_REASONS, MERGED_LEADS_MAX } from "#domain/leads/duplicates.ts";
import { SUPPRESSION_REASONS } from "#domain/leads/suppression.ts";
import { DUPLICATES_SCANNED_MAX, findDuplicates } from "#usecases/leads/duplicates.ts";
import { mergeLeads } from "#usecases/leads/merge.ts";
import { Lead, LeadParams, presentLead } from "./schema.ts";

const Group = Shape({
  reasons: Type.Array(
    OneOf(DUPLICATE_REASONS, {
      description:
        "`same_mailbox`: their addresses reach one mailbox. `same_profile`: one LinkedIn profile. `same_phone`: one phone number and name. `same_name`: one name at one company, but for a typo",
    }),
    { description: "Why they are probably one person, the surest reason first" },
  ),
  leads: Type.Array(Lead, {
    description: `The leads, oldest first; at most ${MERGED_LEADS_MAX + 1}`,
  }),
});
const GroupPage = Shape({
  ...Page(Group).properties,
  scanned: Count(`Leads that were compared: the newest, ${DUPLICATES_SCANNED_MAX} at most`),
});

const MergeBody = Shape({
  lead_ids: Type.Array(Id, {
    minItems: 1,
    maxItems: MERGED_LEADS_MAX,
    description: "Leads to merge into this one; they are gone afterwards",
  }),
});

const Value = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);
const MergeOutcome = Shape({
  lead: Described(Lead, "The lead that stays, as it is now"),
  merged: Count("Leads that were merged into it"),
  conflicts: Type.Array(
    Shape({
      field: Type.String({ description: "Field or variable", examples: ["variables.city"] }),
      kept: Type.Union([Type.String(), Type.Number(), Type.Boolean()], {
        description: "Its value in the lead that stays",
      }),
      others: Type.Array(Value, { description: "Values that are dropped" }),
    }),
    { description: "Fields of which the leads have different values" },
  ),
  stopped: Count("Sequences that end, because another one to the same person goes on or has ended"),
  suppressed: Nullable(
    OneOf(SUPPRESSION_REASONS, {
      description:
        "Why the address that stays is suppressed, when another of the addresses was; null otherwise",
    }),
  ),
});

export const duplicateLeadRoutes = resource("leads", "/leads")
  .get(
    "/duplicates",
    async ({ env, caller, request }): Promise<Static<typeof GroupPage>> => {
      const { limit, offset } = readQuery(PageQuery, request);
      const { groups, total, scanned } = await findDuplicates(env, caller, { limit, offset });
      const data = groups.map(({ reasons, leads }) => ({
        reasons,
        leads: leads.map((row) => presentLead(env.db, row)),
      }));
      return { data, total, limit, offset, hasMore: offset + limit < total, scanned };
    },
    {
      response: { 200: GroupPage },
      detail: {
        summary: "List duplicate leads",
        description:
          "Returns groups of leads that are probably one person with several addresses. Nothing changes until you merge them.",
        ...queryOf(PageQuery),
      },
    },
  )
  .post(
    "/:id/merge",
    (context) =>
      act(context, () => {
        const { env, caller, params, body } = context;
        const { row, ...outcome } = mergeLeads(env, caller, params.id, body.lead_ids);
        return { lead: presentLead(env.db, row), ...outcome };
      }),
    {
      params: LeadParams,
      body: MergeBody,
      response: { 200: MergeOutcome },
      detail: {
        ...DRY_RUN,
        summary: "Merge leads",
        description:
          "Merges other leads into this one, which keeps its address and takes the fields, tags, and history of the others. " +
          "Their addresses go on finding it. In each campaign one sequence goes on at most. If one of the other addresses " +
          "is suppressed other than by a bounce, so is this one. A merge can't be undone.",
      },
    },
  );
