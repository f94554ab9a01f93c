/** `/canned-replies`: templates for what a team replies again and again. */

import { Type } from "@sinclair/typebox";
import { DRY_RUN, resource } from "#api/context.ts";
import { withEtag } from "#api/etag.ts";
import { changes } from "#api/patch.ts";
import { queryOf, readQuery } from "#api/query.ts";
import {
  CreatedAt,
  envelope,
  IdOf,
  IdParamsOf,
  Nullable,
  Page,
  PageQuery,
  Shape,
  TeamId,
  UpdatedAt,
} from "#api/schema.ts";
import { present } from "#api/wire.ts";
import { create, patch, remove } from "#api/write.ts";
import { cannedRepliesOf } from "#store/inbox/canned-replies.ts";
import type { CannedReplyRow } from "#store/tables/inbox.ts";
import {
  CANNED_REPLIES_MAX,
  CANNED_REPLY_CHARS_MAX,
  createCannedReply,
  deleteCannedReply,
  type Filled,
  fillCannedReplies,
  patchCannedReply,
  requireCannedReply,
} from "#usecases/inbox/canned-replies.ts";

const writable = {
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    description: "Name in the list of canned replies",
    examples: ["Pricing"],
  }),
  body: Type.String({
    minLength: 1,
    maxLength: CANNED_REPLY_CHARS_MAX,
    description: "Plain text, with Liquid and spintax",
    examples: ['Hi {{ first_name | default: "there" }},\n\nour prices start at …'],
  }),
};

const CannedReply = Shape({
  id: IdOf("The canned reply's id"),
  team_id: TeamId,
  ...writable,
  created_at: CreatedAt,
  updated_at: UpdatedAt,
});

/** As it is listed, filled in for a conversation where one is named. */
const CannedReplyListed = Shape({
  ...CannedReply.properties,
  text: Nullable(
    Type.String({
      description:
        "What it says in the conversation that `thread_id` names; null without one, and where the lead lacks a value",
    }),
  ),
  missing: Type.Array(Type.String(), {
    description: "Variables that the lead has no value for and that have no fallback",
  }),
});

const CannedReplyParams = IdParamsOf("The canned reply's id");
const CannedReplyPage = Page(CannedReplyListed);
const CannedReplyQuery = Shape({
  ...PageQuery.properties,
  thread_id: Type.Optional(IdOf("Conversation that they are filled in for")),
});
const CannedReplyCreate = Shape(writable);
const CannedReplyPatch = Type.Partial(Shape(writable), { additionalProperties: false });

export const cannedReplyRoutes = resource("inbox", "/canned-replies")
  .get(
    "",
    async ({ env, caller, request }) => {
      const query = readQuery(CannedReplyQuery, request);
      const all = cannedRepliesOf(env.db, caller.teamId);
      const rows = all.slice(query.offset, query.offset + query.limit);
      const { threadId } = query;
      const filled =
        threadId === undefined ? [] : await fillCannedReplies(env, caller, rows, threadId);
      return envelope(
        rows.map((row, at) => listed(row, filled[at] ?? NOT_FILLED)),
        all.length,
        query,
      );
    },
    {
      response: { 200: CannedReplyPage },
      detail: {
        summary: "List canned replies",
        description:
          "Returns the team's canned replies by name. Name a conversation to get what each says there: " +
          "merge fields are the lead's and the mailbox's.",
        ...queryOf(CannedReplyQuery),
      },
    },
  )
  .post(
    "",
    (context) =>
      create(
        context,
        () => shown(createCannedReply(context.env, context.caller, context.body)),
        ({ id }) => `/canned-replies/${id}`,
      ),
    {
      body: CannedReplyCreate,
      response: { 201: CannedReply },
      detail: {
        ...DRY_RUN,
        summary: "Create a canned reply",
        description: `Stores a template for replies. A team may have ${CANNED_REPLIES_MAX}, each with a name of its own.`,
      },
    },
  )
  .get(
    "/:id",
    (context) => {
      const row = requireCannedReply(context.env, context.caller, context.params.id);
      return withEtag(context, shown(row), CannedReplyPatch);
    },
    {
      params: CannedReplyParams,
      response: { 200: CannedReply },
      detail: { summary: "Get a canned reply", description: "Returns one canned reply." },
    },
  )
  .patch(
    "/:id",
    (context) => {
      const { env, caller, params, body } = context;
      return patch(
        context,
        CannedReplyPatch,
        () => shown(requireCannedReply(env, caller, params.id)),
        () => shown(patchCannedReply(env, caller, params.id, body)),
      );
    },
    {
      ...changes(CannedReplyPatch, CannedReply),
      params: CannedReplyParams,
      response: { 200: CannedReply },
      detail: {
        ...DRY_RUN,
        summary: "Update a canned reply",
        description: "Changes the fields that you send. Replies that were sent stay as they are.",
      },
    },
  )
  .delete(
    "/:id",
    (context) =>
      remove(context, () => deleteCannedReply(context.env, context.caller, context.params.id)),
    {
      params: CannedReplyParams,
      detail: {
        ...DRY_RUN,
        summary: "Delete a canned reply",
        description: "Deletes a canned reply. Replies that were sent stay as they are.",
      },
    },
  );

const NOT_FILLED: Filled = { text: null, missing: [] };

function shown(row: CannedReplyRow) {
  return present(CannedReply, row);
}

function listed(row: CannedReplyRow, filled: Filled) {
  return present(CannedReplyListed, { ...row, ...filled });
}
