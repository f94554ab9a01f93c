/** `/lead-views`: filters, orders and columns of the list of leads, under names. */

import { Type } from "@sinclair/typebox";
import { DRY_RUN, IN_BATCH, resource } from "#api/context.ts";
import { withEtag } from "#api/etag.ts";
import { changes } from "#api/patch.ts";
import { queryOf, readQuery } from "#api/query.ts";
import {
  CreatedAt,
  envelope,
  IdOf,
  IdParamsOf,
  Line,
  Name,
  OneOf,
  Page,
  PageQuery,
  Shape,
  TeamId,
  Text,
  UpdatedAt,
  withDefaults,
} from "#api/schema.ts";
import { present, read } from "#api/wire.ts";
import { create, patch, remove } from "#api/write.ts";
import { FILTER_CHARS_MAX } from "#domain/filter.ts";
import { VARIABLE_NAME_MAX } from "#domain/leads/lead.ts";
import {
  LEAD_COLUMNS,
  LEAD_SORTS,
  PERSONAL_VIEWS_MAX,
  SHARED_VIEWS_MAX,
  VARIABLE_COLUMN,
  VIEW_COLUMNS_MAX,
  VIEW_NAME_CHARS_MAX,
} from "#domain/leads/view.ts";
import { leadViewsOf } from "#store/leads/views.ts";
import type { LeadViewRow } from "#store/tables/leads.ts";
import {
  createLeadView,
  deleteLeadView,
  patchLeadView,
  requireLeadView,
} from "#usecases/leads/views.ts";

const name = Name(VIEW_NAME_CHARS_MAX, {
  description: "Name in the list of views",
  examples: ["Trial users in Denver"],
});
const further = {
  filter: Text(FILTER_CHARS_MAX, {
    description: "Filter, as the list of leads takes it; empty for all leads",
    examples: ["variables.city:Denver status:replied"],
  }),
  sort: OneOf(LEAD_SORTS, { description: "Order of the leads" }),
  columns: Type.Array(Line(VARIABLE_COLUMN.length + VARIABLE_NAME_MAX), {
    maxItems: VIEW_COLUMNS_MAX,
    description: `Columns that the console shows beside the address: ${LEAD_COLUMNS.join(", ")}, and \`variables.<name>\``,
    examples: [["name", "company", "variables.city"]],
  }),
  shared: Type.Boolean({
    description: "True: the whole team sees it. False: only who made it",
  }),
};
const DEFAULTS = { filter: "", sort: "-created", columns: [], shared: false } as const;

const LeadView = Shape({
  id: IdOf("The view's id"),
  team_id: TeamId,
  name,
  ...further,
  author: Type.String({
    description: "Who made it: `user:<id>`, `key:<id>`, `operator`",
    examples: ["user:01952c6a-4000-7000-8000-000000000100"],
  }),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
});
const LeadViewPage = Page(LeadView);
const LeadViewParams = IdParamsOf("The view's id");
const LeadViewCreate = withDefaults(
  Shape({ name, ...Type.Partial(Shape(further)).properties }),
  DEFAULTS,
);
const LeadViewPatch = Type.Partial(Shape({ name, ...further }), { additionalProperties: false });

/** Who may only read has views, too; the use case refuses to change those of the team. */
const FOR_READERS = { "x-scope": "leads:read" } as const;

export const leadViewRoutes = resource("leads", "/lead-views")
  .get(
    "",
    ({ env, caller, request }) => {
      const query = readQuery(PageQuery, request);
      const all = leadViewsOf(env.db, caller.teamId, caller.actor);
      const rows = all.slice(query.offset, query.offset + query.limit);
      return envelope(rows.map(shown), all.length, query);
    },
    {
      response: { 200: LeadViewPage },
      detail: {
        summary: "List lead views",
        description: "Returns the views that the team shares and your own, by name.",
        ...queryOf(PageQuery),
      },
    },
  )
  .post(
    "",
    (context) =>
      create(
        context,
        () => {
          const { env, caller, body } = context;
          return shown(createLeadView(env, caller, { ...DEFAULTS, ...read(LeadViewCreate, body) }));
        },
        ({ id }) => `/lead-views/${id}`,
      ),
    {
      body: LeadViewCreate,
      response: { 201: LeadView },
      detail: {
        ...DRY_RUN,
        ...FOR_READERS,
        summary: "Create a lead view",
        description: `Saves a filter, an order and columns of the list of leads. You may have ${PERSONAL_VIEWS_MAX} of your own, and a team may share ${SHARED_VIEWS_MAX}; to share one takes \`leads:write\`.`,
      },
    },
  )
  .get(
    "/:id",
    (context) => {
      const row = requireLeadView(context.env, context.caller, context.params.id);
      return withEtag(context, shown(row), LeadViewPatch);
    },
    {
      params: LeadViewParams,
      response: { 200: LeadView },
      detail: { ...IN_BATCH, summary: "Get a lead view", description: "Returns one view." },
    },
  )
  .patch(
    "/:id",
    (context) => {
      const { env, caller, params, body } = context;
      return patch(
        context,
        LeadViewPatch,
        () => shown(requireLeadView(env, caller, params.id)),
        () => shown(patchLeadView(env, caller, params.id, read(LeadViewPatch, body))),
      );
    },
    {
      ...changes(LeadViewPatch, LeadView),
      params: LeadViewParams,
      response: { 200: LeadView },
      detail: {
        ...DRY_RUN,
        ...FOR_READERS,
        summary: "Update a lead view",
        description:
          "Changes the fields that you send. A shared view takes `leads:write`; only who made it can make it personal again.",
      },
    },
  )
  .delete(
    "/:id",
    (context) =>
      remove(context, () => deleteLeadView(context.env, context.caller, context.params.id)),
    {
      params: LeadViewParams,
      detail: {
        ...DRY_RUN,
        ...FOR_READERS,
        summary: "Delete a lead view",
        description: "Deletes a view. The leads stay. A shared view takes `leads:write`.",
      },
    },
  );

function shown(row: LeadViewRow) {
  return present(LeadView, row);
}
